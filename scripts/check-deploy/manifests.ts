/** Checks Kubernetes manifests against the schemas of Kubernetes. */
import { parseAllDocuments } from 'yaml'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

type Model = new (data: unknown) => { validate(): void }

/**
 * Reads the documents of a file.
 * @throws Error if one is not YAML, names a kind unknown to Kubernetes, or violates its schema
 */
export async function readManifests(text: string): Promise<Manifest[]> {
  const documents = parseAllDocuments(text, { uniqueKeys: true })
  if (!Array.isArray(documents)) return []
  const manifests: Manifest[] = []
  for (const document of documents) {
    const [error] = document.errors
    if (error) throw error
    const manifest = document.toJS() as Manifest | null
    if (manifest === null) continue
    await validate(manifest)
    manifests.push(manifest)
  }
  return manifests
}

async function validate(manifest: Manifest): Promise<void> {
  const group = manifest.apiVersion.includes('/') ? manifest.apiVersion : manifest.apiVersion
  const models = (await import(`kubernetes-models/${group}`)) as Record<string, Model>
  const model = models[manifest.kind]
  if (model === undefined) throw new Error(`${manifest.apiVersion} has no ${manifest.kind}.`)
  new model(manifest).validate()
}

/** The manifests as a source text that the compiler rejects if it has unknown fields, which the schemas accept. */
export function asSource(manifests: readonly Manifest[]): string {
  return manifests
    .map((manifest, index) => {
      const { apiVersion, kind } = manifest
      const type = `import('kubernetes-models/${apiVersion}').I${kind}`
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, null, 2)}\n`
    })
    .join('')
}
