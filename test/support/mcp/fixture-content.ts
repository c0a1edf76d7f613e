/** What the fixture server returns: the names and texts that the conformance scenarios expect. */

/** One pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A WAV file without samples. */
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

export const textOf = (text: string) => ({ type: 'text' as const, text })
export const imageOf = { type: 'image' as const, data: png, mimeType: 'image/png' }
export const resourceOf = (uri: string, mimeType: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text }
})
export const said = (text: string) => ({ content: [textOf(text)] })

/** Tools with a constant result. */
export const plainTools = {
  test_simple_text: [textOf('This is a simple text response for testing.')],
  test_image_content: [imageOf],
  test_audio_content: [{ type: 'audio' as const, data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: [resourceOf('test://embedded-resource', 'text/plain', 'An embedded resource.')],
  test_multiple_content_types: [
    textOf('Several kinds of content:'),
    imageOf,
    resourceOf('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')
  ],
  test_streaming_elicitation: [textOf('Nothing was asked.')]
}

const option = (name: string, title: string) => ({ const: name, title })

/** Forms that a server asks a person to fill in, by the name of the tool that asks. */
export const forms = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', description: 'Name', default: 'John Doe' },
    age: { type: 'integer', description: 'Age', default: 30 },
    score: { type: 'number', description: 'Score', default: 95.5 },
    status: { type: 'string', description: 'Status', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', description: 'Verified', default: true }
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [option('value1', 'One'), option('value2', 'Two'), option('value3', 'Three')]
    },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option 1', 'Option 2', 'Option 3'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: {
      type: 'array',
      items: { anyOf: [option('value1', 'One'), option('value2', 'Two'), option('value3', 'Three')] }
    }
  }
} as const

/** A schema with the keywords of JSON Schema 2020-12 that a relay could lose. */
export const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } }
    }
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' }
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  ...(JSON.parse('{"then":{"required":["phone"]}}') as object),
  else: { required: ['email'] },
  additionalProperties: false
}
