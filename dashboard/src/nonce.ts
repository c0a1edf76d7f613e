/** The nonce of this answer of the service: styles that are made while the page runs carry it. */
import { setNonce } from 'get-nonce'

/** Empty while the page is served by Vite, which has no content policy. */
export const cspNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// For react-remove-scroll, which Mantine's dialogs use.
setNonce(cspNonce)
