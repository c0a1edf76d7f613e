/** Polls every instance for the revision by which it judges model calls. */
import { setTimeout as sleep } from 'node:timers/promises'
import { instancesCount, type Instances } from './instances.ts'

const pauseMs = 100

export class InstanceWatch implements AsyncDisposable {
  readonly faults: string[] = []
  /** The newest sequence that each instance was seen to enforce. */
  readonly sequences: number[] = Array.from({ length: instancesCount }, () => 0)
  readonly #instances: Instances
  readonly #running: Promise<void>
  #isOver = false

  constructor(instances: Instances) {
    this.#instances = instances
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await Promise.all(this.sequences.map((_, index) => this.#look(index)))
      await sleep(pauseMs)
    }
  }

  async #look(index: number): Promise<void> {
    const sequence = await this.#instances.enforced(index)
    if (sequence === undefined) return
    const before = this.sequences[index] ?? 0
    if (sequence < before) this.faults.push(`instance ${index} went from revision ${before} to ${sequence}`)
    this.sequences[index] = sequence
  }
}
