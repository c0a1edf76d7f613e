/** All built-in detectors, one family a file. Order does not matter. */
import type { Detector } from '../detector.ts'
import { awsDetectors } from './aws.ts'
import { azureDetectors } from './azure.ts'
import { codeHostDetectors } from './code-hosts.ts'
import { emailDetectors } from './email.ts'
import { googleDetectors } from './google.ts'
import { ipAddressDetectors } from './ip-address.ts'
import { jwtDetectors } from './jwt.ts'
import { modelVendorDetectors } from './model-vendors.ts'
import { nationalIdDetectors } from './national-ids.ts'
import { paymentDetectors } from './payment.ts'
import { phoneDetectors } from './phone.ts'
import { privateKeyDetectors } from './private-keys.ts'
import { saasDetectors } from './saas.ts'
import { sluiceTokenDetectors } from './sluice-token.ts'
import { urlCredentialDetectors } from './url-credentials.ts'

export const builtInDetectors: readonly Detector[] = Object.freeze([
  ...awsDetectors,
  ...googleDetectors,
  ...azureDetectors,
  ...modelVendorDetectors,
  ...codeHostDetectors,
  ...saasDetectors,
  ...sluiceTokenDetectors,
  ...jwtDetectors,
  ...privateKeyDetectors,
  ...urlCredentialDetectors,
  ...nationalIdDetectors,
  ...paymentDetectors,
  ...emailDetectors,
  ...phoneDetectors,
  ...ipAddressDetectors
])
