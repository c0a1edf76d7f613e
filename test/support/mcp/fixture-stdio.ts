/** The fixture server on stdio, in a process of its own. */
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createFixture } from './fixture-server.ts'

serveStdio(() => {
  const server: McpServer = createFixture({
    changed: (list) => (list === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged())
  })
  return server
})
