/** Builds the dashboard into static files, and serves it while it is being worked on. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressPlugin } from './compress-plugin.ts'
import { kindsPlugin } from './kinds-plugin.ts'

/** Stands in index.html wherever a nonce belongs; the service puts a fresh one there in each answer. */
const noncePlaceholder = 'SLUICE_CSP_NONCE'

/** The running service that the pages talk to while they are worked on. */
const target = process.env['SLUICE_URL'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), kindsPlugin(), compressPlugin()],
  html: { cspNonce: noncePlaceholder },
  build: {
    target: 'es2023',
    // The oldest browsers that know light-dark(), so that it is left as it is.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL is a source of its own in a content policy, so every file stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // On a busy machine the first start would begin with a warning about slow plugins.
    rolldownOptions: { checks: { bundlerTimings: false } },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    manifest: true
  },
  server: {
    host: '127.0.0.1',
    // The service takes unsafe requests from its own origin alone, so the proxy speaks as if from there.
    proxy: {
      '/api': {
        target,
        changeOrigin: true,
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', target))
      }
    }
  }
})
