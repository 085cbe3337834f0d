/** `reserved-name`: a variable with the name of a literal, so it can never be read. */
import type { NameNode } from '../../../../core/tree/ast.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const reservedName = message(
  'reserved-name',
  'warning',
  'ReservedVariableName',
  (name: string) => ({
    text: `${quote(name)} is a reserved word, so this variable can never be read.`,
    hint: 'Choose another name.',
  }),
  {
    wrong: '{% assign empty = 1 %}',
    right: '{% assign none = 1 %}{{ none }}',
  },
)

const RESERVED: ReadonlySet<string> = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank'])

/** Reports a name that is set and that is a reserved word. It counts as read, so that it is not reported as unused too. */
export function checkReservedName({ reads, findings }: Walk, { name, span }: NameNode): void {
  if (!RESERVED.has(name)) return
  reads.used.add(name)
  findings.report(reservedName(span, name))
}
