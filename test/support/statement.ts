/** Statements of tests whose text is made while they run, which no code of the product can do. */
import { sql, type SqlStatement, toStatement } from '../../runtime/data/sql/sql.ts'

/** @param text with `$1`, `$2` … in the places of the values, each once and in this order */
export function statementOf(text: string, values: readonly unknown[] = []): SqlStatement {
  const texts = text.split(/\$\d+/)
  // A template is what the compiler makes of text between backticks; a cast is the only other way to one.
  const template = Object.assign([...texts], { raw: texts }) as unknown as TemplateStringsArray
  return toStatement(sql(template, ...values.map((value) => value as string | null)))
}
