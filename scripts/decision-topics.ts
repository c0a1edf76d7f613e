/** The topics under which the index lists the decision records. A number that is in none is listed at the end. */

export interface Topic {
  readonly title: string
  /** Folders that the records are mostly about, in the terms of ARCHITECTURE.md. */
  readonly folders: string
  readonly numbers: readonly number[]
}

export const topics: readonly Topic[] = [
  {
    title: 'What counts as a secret or personal data',
    folders: '`src/detection`',
    numbers: [
      7, 17, 18, 110, 111, 112, 113, 114, 117, 118, 119, 121, 122, 123, 128, 137, 138, 139, 144, 145, 146, 152, 154,
      155, 162, 163, 164, 174, 177, 178, 179, 180, 181, 182, 184, 189, 198, 209, 210, 219, 220, 237, 240, 250, 257
    ]
  },
  {
    title: 'How a text is searched, and what that costs',
    folders: '`src/detection/engine`, `src/detection/wasm`',
    numbers: [
      5, 8, 9, 15, 16, 19, 108, 136, 143, 151, 166, 167, 176, 183, 192, 207, 208, 212, 215, 216, 223, 225, 227, 229,
      230, 232, 234, 235, 241, 242, 245, 246, 252, 253, 254
    ]
  },
  { title: 'Comparisons with other scanners', folders: '`bench`', numbers: [196, 211, 217, 228, 236, 238, 248] },
  {
    title: 'Requests: read, masked and forwarded',
    folders: '`src/ingress`, `src/dialects`, `src/upstream`',
    numbers: [
      1, 2, 3, 12, 32, 67, 68, 69, 101, 102, 105, 109, 120, 129, 130, 131, 133, 134, 140, 147, 159, 170, 185, 194, 205,
      206, 224, 226
    ]
  },
  {
    title: 'Answers, and values put back into them',
    folders: '`src/ingress/answer`, `src/ingress/restore`, `src/policy/restore`',
    numbers: [14, 61, 62, 65, 66, 150, 221, 231]
  },
  {
    title: 'Policies and their streams',
    folders: '`src/policy`, `src/policy-stream`, `src/service/policies`',
    numbers: [10, 11, 13, 50, 51, 99, 116, 127, 132, 160]
  },
  {
    title: 'Events, store and audit',
    folders: '`src/store`, `src/telemetry`, `src/service/upkeep`',
    numbers: [4, 20, 21, 22, 23, 24, 30, 31, 40, 106, 135, 141, 149, 156, 169, 173, 203, 247, 255]
  },
  { title: 'OpenTelemetry', folders: '`src/telemetry/otel`, `src/service/otlp-out`', numbers: [71, 72, 73] },
  {
    title: 'Sidecar, SDK and spool',
    folders: '`src/sensor`, `src/sdk`',
    numbers: [63, 70, 75, 77, 78, 79, 201]
  },
  {
    title: 'The MCP proxy',
    folders: '`src/sensor/mcp-proxy`',
    numbers: [80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 100, 148, 158, 161, 188, 243]
  },
  {
    title: 'Users and the dashboard',
    folders: '`src/service/accounts`, `dashboard`',
    numbers: [90, 91, 92, 93, 94, 95, 96, 97, 98, 126, 187, 244]
  },
  {
    title: 'Set-up, package and images',
    folders: '`scripts/build`, `deploy`',
    numbers: [6, 74, 76, 171, 186, 233, 256]
  },
  {
    title: 'Tests and checks',
    folders: '`test`, `scripts`',
    numbers: [64, 107, 115, 124, 142, 168, 172, 191, 199, 213, 222, 239, 251]
  }
]
