/** All built-in detectors, one family a file. Order does not matter. */
import type { Detector } from '../detector.ts'
import { assignedSecretDetectors } from './assigned-secrets.ts'
import { fieldSecretDetectors } from './field-secrets.ts'
import { aiToolDetectors } from './ai-tools.ts'
import { atlassianDetectors } from './atlassian.ts'
import { authHeaderDetectors } from './auth-headers.ts'
import { awsDetectors } from './aws.ts'
import { azureDetectors } from './azure.ts'
import { bankAccountDetectors } from './bank-accounts.ts'
import { accessLiteralDetectors } from './access-literals.ts'
import { callArgumentDetectors } from './call-arguments.ts'
import { ciDetectors } from './ci.ts'
import { cloudPlatformDetectors } from './cloud-platforms.ts'
import { cloudDetectors } from './cloud.ts'
import { codeHostDetectors } from './code-hosts.ts'
import { columnSecretDetectors } from './column-secrets.ts'
import { commandOptionDetectors } from './command-options.ts'
import { commandPasswordDetectors } from './command-passwords.ts'
import { comparedSecretDetectors } from './compared-secrets.ts'
import { cryptoCurrencyDetectors } from './crypto-currency.ts'
import { databaseDetectors } from './databases.ts'
import { emailDetectors } from './email.ts'
import { formatPasswordDetectors } from './format-passwords.ts'
import { googleDetectors } from './google.ts'
import { hashDetectors } from './hashes.ts'
import { identityDocumentDetectors } from './identity-documents.ts'
import { infrastructureDetectors } from './infrastructure.ts'
import { ipAddressDetectors } from './ip-address.ts'
import { jwtDetectors } from './jwt.ts'
import { keyFileDetectors } from './key-files.ts'
import { messagePasswordDetectors } from './message-passwords.ts'
import { messagingDetectors } from './messaging.ts'
import { modelHostDetectors } from './model-hosts.ts'
import { kubernetesDetectors } from './kubernetes.ts'
import { modelVendorDetectors } from './model-vendors.ts'
import { monitoringDetectors } from './monitoring.ts'
import { namedServiceDetectors } from './named-services.ts'
import { namedIdDetectors } from './named-ids.ts'
import { nationalIdDetectors } from './national-ids.ts'
import { oneTimeLinkDetectors } from './one-time-links.ts'
import { paymentVendorDetectors } from './payment-vendors.ts'
import { paymentDetectors } from './payment.ts'
import { personalDataDetectors } from './personal-data.ts'
import { personalPlaceDetectors } from './personal-places.ts'
import { phoneDetectors } from './phone.ts'
import { printedKeyDetectors } from './printed-keys.ts'
import { placedPasswordDetectors } from './placed-passwords.ts'
import { privateKeyDetectors } from './private-keys.ts'
import { productivityDetectors } from './productivity.ts'
import { prosePasswordDetectors } from './prose-passwords.ts'
import { rareWordDetectors } from './rare-words.ts'
import { recoveryCode } from './recovery-codes.ts'
import { registryDetectors } from './registries.ts'
import { slackDetectors } from './slack.ts'
import { stripeDetectors } from './stripe.ts'
import { seedDetectors } from './seeds.ts'
import { serviceKeyDetectors } from './service-keys.ts'
import { shownSecretDetectors } from './shown-secrets.ts'
import { sluiceTokenDetectors } from './sluice-token.ts'
import { socialDetectors } from './social.ts'
import { connectionUserDetectors } from './connection-users.ts'
import { devicePasswordDetectors } from './device-passwords.ts'
import { toldCodeDetectors } from './told-codes.ts'
import { transcriptDetectors } from './transcripts.ts'
import { unnamedPasswordDetectors } from './unnamed-passwords.ts'
import { urlCredentialDetectors } from './url-credentials.ts'
import { vaultShareDetectors } from './vault-shares.ts'
import { writtenPairDetectors } from './written-pairs.ts'

export const builtInDetectors: readonly Detector[] = Object.freeze([
  ...awsDetectors,
  ...googleDetectors,
  ...azureDetectors,
  ...modelVendorDetectors,
  ...modelHostDetectors,
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
  ...keyFileDetectors,
  ...cryptoCurrencyDetectors,
  ...databaseDetectors,
  ...productivityDetectors,
  ...monitoringDetectors,
  ...paymentVendorDetectors,
  ...socialDetectors,
  ...messagingDetectors,
  ...sluiceTokenDetectors,
  ...jwtDetectors,
  ...privateKeyDetectors,
  ...printedKeyDetectors,
  ...urlCredentialDetectors,
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
  ...toldCodeDetectors,
  recoveryCode,
  ...messagePasswordDetectors,
  ...unnamedPasswordDetectors,
  ...callArgumentDetectors,
  ...formatPasswordDetectors,
  ...writtenPairDetectors,
  ...accessLiteralDetectors,
  ...comparedSecretDetectors,
  ...placedPasswordDetectors,
  ...columnSecretDetectors,
  ...commandOptionDetectors,
  ...commandPasswordDetectors,
  ...authHeaderDetectors,
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
