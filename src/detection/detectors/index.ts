/** All built-in detectors, one family a file. Order does not matter. */
import type { Detector } from '../detector.ts'
import { assignedSecretDetectors } from './context/assigned-secrets.ts'
import { fieldSecretDetectors } from './context/field-secrets.ts'
import { aiToolDetectors } from './vendors/ai-tools.ts'
import { atlassianDetectors } from './vendors/atlassian.ts'
import { authHeaderDetectors } from './context/auth-headers.ts'
import { sessionCookieDetectors } from './context/session-cookies.ts'
import { awsDetectors } from './vendors/aws.ts'
import { azureDetectors } from './vendors/azure.ts'
import { bankAccountDetectors } from './personal/bank-accounts.ts'
import { accessLiteralDetectors } from './context/access-literals.ts'
import { callArgumentDetectors } from './context/call-arguments.ts'
import { ciDetectors } from './vendors/ci.ts'
import { cloudPlatformDetectors } from './vendors/cloud-platforms.ts'
import { cloudDetectors } from './vendors/cloud.ts'
import { codeHostDetectors } from './vendors/code-hosts.ts'
import { columnSecretDetectors } from './context/column-secrets.ts'
import { commandOptionDetectors } from './context/command-options.ts'
import { commandPasswordDetectors } from './context/command-passwords.ts'
import { comparedSecretDetectors } from './context/compared-secrets.ts'
import { cryptoCurrencyDetectors } from './formats/crypto-currency.ts'
import { databaseDetectors } from './vendors/databases.ts'
import { emailDetectors } from './personal/email.ts'
import { formatPasswordDetectors } from './context/format-passwords.ts'
import { googleDetectors } from './vendors/google.ts'
import { databaseHash } from './formats/database-hashes.ts'
import { hashDetectors } from './formats/hashes.ts'
import { identityDocumentDetectors } from './personal/identity-documents.ts'
import { identityProviderDetectors } from './vendors/identity-providers.ts'
import { infrastructureDetectors } from './vendors/infrastructure.ts'
import { ipAddressDetectors } from './personal/ip-address.ts'
import { jwtDetectors } from './formats/jwt.ts'
import { keyFileDetectors } from './formats/key-files.ts'
import { messagePasswordDetectors } from './sentences/message-passwords.ts'
import { discordDetectors } from './vendors/discord.ts'
import { messagingDetectors } from './vendors/messaging.ts'
import { modelHostDetectors } from './vendors/model-hosts.ts'
import { modelServiceDetectors } from './vendors/model-services.ts'
import { kubernetesDetectors } from './formats/kubernetes.ts'
import { modelVendorDetectors } from './vendors/model-vendors.ts'
import { monitoringDetectors } from './vendors/monitoring.ts'
import { namedServiceDetectors } from './vendors/named-services.ts'
import { namedIdDetectors } from './national-ids/named-ids.ts'
import { nationalIdDetectors } from './national-ids/index.ts'
import { oneTimeLinkDetectors } from './context/one-time-links.ts'
import { paymentVendorDetectors } from './vendors/payment-vendors.ts'
import { paymentDetectors } from './personal/payment.ts'
import { personalDataDetectors } from './personal/personal-data.ts'
import { personalPlaceDetectors } from './personal/personal-places.ts'
import { phoneDetectors } from './personal/phone.ts'
import { printedKeyDetectors } from './formats/cloud-tool-keys.ts'
import { placedPasswordDetectors } from './context/placed-passwords.ts'
import { privateKeyDetectors } from './formats/private-keys.ts'
import { productivityDetectors } from './vendors/productivity.ts'
import { prosePasswordDetectors } from './sentences/prose-passwords.ts'
import { keyDumpDetectors } from './formats/key-dumps.ts'
import { rsaParameterDetectors } from './formats/rsa-parameters.ts'
import { rareWordDetectors } from './formats/high-entropy.ts'
import { recoveryCode } from './sentences/recovery-codes.ts'
import { registryDetectors } from './vendors/registries.ts'
import { slackDetectors } from './vendors/slack.ts'
import { stripeDetectors } from './vendors/stripe.ts'
import { seedDetectors } from './formats/seeds.ts'
import { serviceKeyDetectors } from './vendors/service-keys.ts'
import { shownSecretDetectors } from './context/shown-secrets.ts'
import { sectionSecretDetectors } from './context/section-secrets.ts'
import { sluiceTokenDetectors } from './vendors/sluice-token.ts'
import { socialDetectors } from './vendors/social.ts'
import { connectionUserDetectors } from './context/connection-users.ts'
import { devicePasswordDetectors } from './context/device-passwords.ts'
import { accessCodeDetectors } from './sentences/access-codes.ts'
import { transcriptDetectors } from './context/transcripts.ts'
import { unnamedPasswordDetectors } from './sentences/unnamed-passwords.ts'
import { connectionPropertyDetectors } from './context/connection-properties.ts'
import { urlCredentialDetectors } from './context/url-credentials.ts'
import { vaultShareDetectors } from './vendors/vault-shares.ts'
import { writtenPairDetectors } from './context/written-pairs.ts'

export const builtInDetectors: readonly Detector[] = Object.freeze([
  ...awsDetectors,
  ...googleDetectors,
  ...azureDetectors,
  ...modelVendorDetectors,
  ...modelHostDetectors,
  ...modelServiceDetectors,
  ...aiToolDetectors,
  ...cloudDetectors,
  ...cloudPlatformDetectors,
  ...infrastructureDetectors,
  ...vaultShareDetectors,
  ...codeHostDetectors,
  ...atlassianDetectors,
  ...registryDetectors,
  ...ciDetectors,
  ...slackDetectors,
  ...stripeDetectors,
  ...seedDetectors,
  ...serviceKeyDetectors,
  ...namedServiceDetectors,
  ...hashDetectors,
  databaseHash,
  ...keyFileDetectors,
  ...rsaParameterDetectors,
  ...keyDumpDetectors,
  ...cryptoCurrencyDetectors,
  ...databaseDetectors,
  ...productivityDetectors,
  ...identityProviderDetectors,
  ...monitoringDetectors,
  ...paymentVendorDetectors,
  ...socialDetectors,
  ...messagingDetectors,
  ...discordDetectors,
  ...sluiceTokenDetectors,
  ...jwtDetectors,
  ...privateKeyDetectors,
  ...printedKeyDetectors,
  ...urlCredentialDetectors,
  ...connectionPropertyDetectors,
  ...oneTimeLinkDetectors,
  ...connectionUserDetectors,
  ...transcriptDetectors,
  ...shownSecretDetectors,
  ...devicePasswordDetectors,
  ...assignedSecretDetectors,
  ...fieldSecretDetectors,
  ...rareWordDetectors,
  ...kubernetesDetectors,
  ...prosePasswordDetectors,
  ...accessCodeDetectors,
  recoveryCode,
  ...messagePasswordDetectors,
  ...unnamedPasswordDetectors,
  ...callArgumentDetectors,
  ...formatPasswordDetectors,
  ...writtenPairDetectors,
  ...accessLiteralDetectors,
  ...comparedSecretDetectors,
  ...placedPasswordDetectors,
  ...sectionSecretDetectors,
  ...columnSecretDetectors,
  ...commandOptionDetectors,
  ...commandPasswordDetectors,
  ...authHeaderDetectors,
  ...sessionCookieDetectors,
  ...nationalIdDetectors,
  ...namedIdDetectors,
  ...paymentDetectors,
  ...bankAccountDetectors,
  ...personalDataDetectors,
  ...identityDocumentDetectors,
  ...personalPlaceDetectors,
  ...emailDetectors,
  ...phoneDetectors,
  ...ipAddressDetectors
])
