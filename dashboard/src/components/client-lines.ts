/** What a person pastes to connect a client to this service. The guides in docs/clients explain each in more detail. */

interface ClientLines {
  readonly name: string
  /** Where the lines belong. */
  readonly place: string
  readonly lines: (base: string, token: string) => string
}

/** A reference to a shell variable, so that no file has to contain the token. */
export const tokenPlaceholder = '$SLUICE_TOKEN'

export const clients: readonly ClientLines[] = [
  {
    name: 'Claude Code',
    place: 'In the shell that starts Claude Code',
    lines: (base, token) =>
      [`export ANTHROPIC_BASE_URL=${base}/api/ingress`, `export ANTHROPIC_AUTH_TOKEN=${token}`, 'claude'].join('\n')
  },
  {
    name: 'Codex',
    place: 'In ~/.codex/config.toml; put the token into the variable SLUICE_TOKEN',
    lines: (base) =>
      [
        'model_provider = "sluice"',
        '',
        '[model_providers.sluice]',
        'name = "Sluice"',
        `base_url = "${base}/api/ingress/v1"`,
        'env_key = "SLUICE_TOKEN"',
        'wire_api = "responses"'
      ].join('\n')
  },
  {
    name: 'OpenAI SDK',
    place: 'Python; in other languages the options have the same names',
    lines: (base, token) =>
      [
        'client = OpenAI(',
        `    base_url="${base}/api/ingress/v1",`,
        `    api_key=${inCode(token)},`,
        `    default_headers={"x-service-workspace-token": ${inCode(token)}, "x-service-client-surface": "sdk"},`,
        ')'
      ].join('\n')
  },
  {
    name: 'Anthropic SDK',
    place: 'Python; in other languages the options have the same names',
    lines: (base, token) =>
      [
        'client = Anthropic(',
        `    base_url="${base}/api/ingress",`,
        `    api_key=${inCode(token)},`,
        `    default_headers={"x-service-workspace-token": ${inCode(token)}, "x-service-client-surface": "sdk"},`,
        ')'
      ].join('\n')
  },
  {
    name: 'curl',
    place: 'A first call, with an address that will be masked',
    lines: (base, token) =>
      [
        `curl ${base}/api/ingress/v1/chat/completions \\`,
        `  -H "x-service-workspace-token: ${token}" \\`,
        "  -H 'content-type: application/json' \\",
        `  -d '{"model": "gpt-5-mini", "messages": [{"role": "user", "content": "Write to jane.doe@company.test"}]}'`
      ].join('\n')
  }
]

const inCode = (token: string): string => (token === tokenPlaceholder ? 'os.environ["SLUICE_TOKEN"]' : `"${token}"`)
