/**
 * What the benchmark scans: sources and documentation of installed packages (which no commit of ours changes, and which
 * are not samples of what is searched for, as our own sources are), the lock file of this checkout, and generated logs
 * and sentences.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentBody } from '../src/dialects/plan/agent-body.fixture.ts'
import { base62Letters, hexLetters } from '../src/detection/sample-text.ts'
import { createRandom, type SeededRandom } from '../test/support/random.ts'

/** One sort of text, as the texts in which a request would carry it. */
export interface Corpus {
  readonly name: string
  readonly texts: readonly string[]
  /** Size of all texts in UTF-8. */
  readonly bytes: number
}

const root = join(import.meta.dirname, '..')

/** @param bytes about how much text of each sort */
export function corpora(bytes: number): Corpus[] {
  return [
    corpus('code', filesOf(packaged('{js,mjs,cjs,ts,mts}'), bytes)),
    corpus('logs', filled(bytes, 60_000, logLine)),
    corpus('prose', filesOf(packaged('md'), bytes)),
    corpus('other scripts', filled(bytes, 8000, sentenceOfOtherScript)),
    corpus('lockfiles', lockFiles(bytes)),
    corpus('agent body', agentTexts(bytes))
  ]
}

function corpus(name: string, texts: readonly string[]): Corpus {
  // A string that was concatenated is a tree until it is read; flattening it is not the scanner's work.
  const flat = texts.map((text) => Buffer.from(text, 'utf8').toString('utf8'))
  return { name, texts: flat, bytes: flat.reduce((sum, text) => sum + Buffer.byteLength(text), 0) }
}

const packaged = (endings: string): string[] =>
  ['ai', 'openai', 'zod', 'fastify', 'undici', 'pino', 'ajv', '@anthropic-ai/sdk'].map(
    (name) => `node_modules/${name}/**/*.${endings}`
  )

/** The files of some patterns in order of their names, spread evenly, up to `bytes`. Minified files are left out. */
function filesOf(patterns: readonly string[], bytes: number): string[] {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()
  const texts: string[] = []
  let left = bytes
  const step = 7
  for (let from = 0; from < step && left > 0; from++) {
    for (let i = from; i < paths.length && left > 0; i += step) {
      const text = readFileSync(join(root, paths[i] as string), 'utf8')
      if (text.length < 200 || text.length > 400_000 || text.length / text.split('\n').length > 200) continue
      texts.push(text)
      left -= Buffer.byteLength(text)
    }
  }
  return texts
}

function filled(bytes: number, units: number, line: (random: SeededRandom) => string): string[] {
  const random = createRandom(11)
  const texts: string[] = []
  for (let left = bytes; left > 0;) {
    let text = ''
    while (text.length < units) text += `${line(random)}\n`
    texts.push(text)
    left -= text.length
  }
  return texts
}

const two = (value: number): string => String(value).padStart(2, '0')

function logLine(random: SeededRandom): string {
  const pick = (...choices: readonly string[]): string => choices[random.below(choices.length)] as string
  const time = `2026-0${1 + random.below(9)}-${two(1 + random.below(28))}T${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}.${random.text('0123456789', 3)}Z`
  const id = [8, 4, 4, 4, 12].map((length) => random.text(hexLetters, length)).join('-')
  const address = `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`
  const path = `/${pick('api', 'v1', 'static')}/${pick('users', 'orders', 'items', 'search')}/${random.below(100_000)}`
  const ms = `${random.below(900)}.${random.below(100)}`
  return pick(
    `${time} INFO  [worker-${random.below(32)}] request_id=${id} method=GET path=${path} status=200 duration_ms=${ms}`,
    `${time} WARN  [pool-${random.below(8)}] connection to ${address}:${5000 + random.below(999)} was slow: ${ms} ms`,
    `${address} - - [${time}] "GET ${path}?page=${random.below(90)} HTTP/1.1" 200 ${random.below(90_000)} "-" "agent/2.${random.below(9)}"`,
    `{"level":30,"time":17636544${random.text('0123456789', 5)},"pid":${random.below(30_000)},"reqId":"${id}","msg":"request completed","responseTime":${ms}}`,
    `    at handle (/srv/app/node_modules/router/lib/layer.js:${random.below(400)}:${random.below(80)})`,
    `${time} DEBUG cache ${pick('hit', 'miss')} key=session:${random.text(hexLetters, 32)} size=${random.below(5000)}`
  )
}

const sentencesOfOtherScripts = [
  'Служба прочитала очередь и не нашла в ней ни одного задания, поэтому она ждёт до утра.',
  'Если тесты не проходят, посмотрите сначала на последнее изменение в ветке, потом на журнал сборки.',
  'Цей модуль читає файл рядок за рядком і рахує слова, щоб показати їх на сторінці.',
  'Η σελίδα φορτώνει αργά όταν ο κατάλογος έχει πολλές εγγραφές, ας τη χωρίσουμε σε μέρη.',
  '这个函数先读取配置文件，然后把每一行写进表格，最后返回一共有多少行。',
  '请把错误信息翻译成中文，并且说明用户接下来应该做什么。',
  '画面の右上にあるボタンを押すと、一覧が新しい順に並び替わります。',
  'この変更で遅くなった理由を調べて、元に戻すべきかどうか教えてください。',
  '이 테스트는 느린 컴퓨터에서 가끔 실패하므로 기다리는 시간을 늘려 주세요.',
  'هذه الصفحة تعرض كل الطلبات التي وصلت اليوم، ويمكن ترتيبها حسب الوقت أو الحجم.',
  'התיקייה הזאת מכילה את כל הבדיקות, ולכן כדאי לקרוא אותה לפני שמשנים משהו.',
  'यह पन्ना धीरे खुलता है क्योंकि सूची बहुत लंबी है, इसे टुकड़ों में बाँट दें।'
]

/** A sentence with few ASCII letters or none, and now and then an identifier. */
function sentenceOfOtherScript(random: SeededRandom): string {
  const sentence = sentencesOfOtherScripts[random.below(sentencesOfOtherScripts.length)] as string
  return random.below(3) === 0 ? `${sentence} \`read_${random.text('abcdef', 4)}(path)\`` : sentence
}

/** The lock file of this checkout, and variants with other checksums and versions. */
function lockFiles(bytes: number): string[] {
  const random = createRandom(23)
  const own = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const texts = [own]
  for (let left = bytes - own.length; left > 0; left -= own.length) {
    texts.push(own.replace(/sha512-[A-Za-z0-9+/]{86}==/g, () => `sha512-${random.text(`${base62Letters}+/`, 86)}==`))
  }
  return texts
}

/** All strings of a body as coding agents send it, keys included, with sources as tool results. */
function agentTexts(bytes: number): string[] {
  const results = filesOf(packaged('{js,mjs}'), bytes)
  const body = agentBody('messages', results.length) as { messages: { content: unknown }[] }
  let next = 0
  for (const { content } of body.messages)
    for (const part of content as { type: string; content?: string }[])
      if (part.type === 'tool_result') part.content = results[next++] as string
  const texts: string[] = []
  JSON.stringify(body, (key, value: unknown) => {
    if (key !== '' && Number.isNaN(Number(key))) texts.push(key)
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts
}

/** Texts of 8 kB of all sorts, as in short prompts. */
export function prompts(all: readonly Corpus[], count: number): string[] {
  const random = createRandom(31)
  const units = 8192
  const long = all.map(({ texts }) => texts.join('\n')).filter((text) => text.length > units)
  return Array.from({ length: count }, (_, i) => {
    const text = long[i % long.length] as string
    const from = random.below(text.length - units)
    const bytes = Buffer.from(text.slice(from, from + units), 'utf8').subarray(0, units)
    // Drops a character that was split.
    return bytes.toString('utf8').replace(/\uFFFD$/, '')
  })
}
