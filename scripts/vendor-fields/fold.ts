/** The same block occurs at many places of a body; identified by its own name, each field of it counts once. */

interface FoldedPlace {
  /** The innermost variant with the name of its member, `content[type=document]`; empty at the top of a body. */
  readonly block: string
  /** The rest of the path: `source.data`. */
  readonly field: string
}

const innermost = /([a-z_]+)((?:\[\])*(?:\[(?:type|role)=[^\]]*\]|<\w+>)+)([^[<]*(?:\[\][^[<]*)*)$/

/** @param path as in `Field.path` */
export function fold(path: string): FoldedPlace {
  const [, name = '', tags = '', rest = ''] = innermost.exec(path) ?? []
  return name === '' ? { block: '', field: path } : { block: name + tags, field: rest.replace(/^\./, '') }
}
