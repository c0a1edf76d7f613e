/** nginx with the nchan module as Debian packages them (`libnginx-mod-nchan`), where installed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { benchFrame } from './policy-stream-frame.ts'

interface Nchan extends AsyncDisposable {
  readonly port: number
  readonly path: string
  /** @returns the time just before publishing, on the clock that all processes of a machine share */
  publish(sequence: number): Promise<bigint>
}

/** Debian's path; other distributions may use different names and versions. */
const binary = 'usr/sbin/nginx'
const module = 'usr/lib/nginx/modules/ngx_nchan_module.so'

const configuration = (root: string, folder: string, port: number): string => `
load_module ${join(root, module)};
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log; worker_rlimit_nofile 20000;
events { worker_connections 16384; }
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  nchan_shared_memory_size 256M;
  server {
    listen 127.0.0.1:${port} backlog=16384;
    location = /publish { nchan_publisher; nchan_channel_id policy; nchan_message_buffer_length 1; }
    location = /stream { nchan_subscriber eventsource; nchan_channel_id policy; nchan_subscriber_first_message oldest; }
  }
}
`

function post(port: number, sequence: number): Promise<void> {
  const headers = { 'content-type': 'text/plain', 'x-eventsource-event': 'policy' }
  return new Promise((resolve, reject) => {
    const posted = request({ port, host: '127.0.0.1', path: '/publish', method: 'POST', headers }, (answer) => {
      answer.resume()
      if ((answer.statusCode ?? 500) < 300) answer.on('end', resolve)
      else reject(new Error(`nchan answered ${answer.statusCode}.`))
    })
    posted.on('error', reject)
    posted.end(JSON.stringify(benchFrame(sequence)))
  })
}

/** @param root where Debian's packages are unpacked; `/` for installed ones */
export function isNchanThere(root: string): boolean {
  return [binary, module].every((path) => existsSync(join(root, path)))
}

/** Starts nchan, which must be there (see {@link isNchanThere}), and publishes sequence 1. */
export async function startNchan(root: string, core: number | undefined): Promise<Nchan> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-nchan-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration(root, folder, port))
  const command = [join(root, binary), '-p', folder, '-c', file, '-e', join(folder, 'error.log')]
  const [name = '', ...args] = core === undefined ? command : ['taskset', '-c', String(core), ...command]
  const nginx = spawn(name, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve) => nginx.once('exit', () => resolve()))
  // Without this, nginx would outlive an interrupted benchmark.
  const kill = (): void => void nginx.kill('SIGTERM')
  process.once('exit', kill)
  const stop = async (): Promise<void> => {
    process.off('exit', kill)
    kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const attemptsMax = 100
  for (let attempt = 1; ; attempt++) {
    try {
      await post(port, 1)
      break
    } catch (error) {
      if (attempt === attemptsMax || nginx.exitCode !== null) {
        await stop()
        throw error
      }
      await sleep(50)
    }
  }
  return {
    port,
    path: '/stream',
    async publish(sequence) {
      const at = process.hrtime.bigint()
      await post(port, sequence)
      return at
    },
    [Symbol.asyncDispose]: stop
  }
}
