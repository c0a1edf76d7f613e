/** The same block stands at many places of a body; told by its own name, each field of it is one. */

export interface FoldedPlace {
  /** The innermost variant with the name that it stands under, `content[type=document]`; empty at the top of a body. */
  readonly block: string
  /** What is left of the path: `source.data`. */
  readonly field: string
}

const innermost = /([a-z_]+)((?:\[\])*(?:\[(?:type|role)=[^\]]*\]|<\w+>)+)([^[<]*(?:\[\][^[<]*)*)$/

/** @param path as in `Field.path` */
export function fold(path: string): FoldedPlace {
  const [, name = '', tags = '', rest = ''] = innermost.exec(path) ?? []
  return name === '' ? { block: '', field: path } : { block: name + tags, field: rest.replace(/^\./, '') }
}
