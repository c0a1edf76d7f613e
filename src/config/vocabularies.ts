/** The values of labels that a configuration accepts. */
import { builtInVocabularies, type Vocabularies } from '../protocol/vocabularies.ts'
import type { Reader } from './reader.ts'

/**
 * Reads the names that the configuration adds to the built-in ones.
 * @param sandboxes those that it adds, where the program has that variable
 */
export function readVocabularies(
  read: Reader<'SERVICE_EXTRA_SURFACES' | 'SERVICE_EXTRA_PROVIDERS'>,
  sandboxes: readonly string[] = []
): Vocabularies {
  const { surfaces, providers, sandboxes: builtIn } = builtInVocabularies
  return {
    surfaces: new Set([...surfaces, ...read.names('SERVICE_EXTRA_SURFACES')]),
    providers: new Set([...providers, ...read.names('SERVICE_EXTRA_PROVIDERS')]),
    sandboxes: new Set([...builtIn, ...sandboxes])
  }
}
