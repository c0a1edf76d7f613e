/** The nonce of the service's answer, for styles that are created at run time. */
import { setNonce } from 'get-nonce'

/** Empty while the page is served by Vite, without a content security policy. */
export const cspNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// For react-remove-scroll, which Mantine's dialogs use.
setNonce(cspNonce)
