/** Creates SQL statements from computed texts, which product code cannot do. */
import { sql, type SqlStatement, toStatement } from '../../runtime/data/sql/sql.ts'

/** Creates a statement. @param text contains `$1`, `$2` … for the values, each once and in this order */
export function statementOf(text: string, values: readonly unknown[] = []): SqlStatement {
  const texts = text.split(/\$\d+/)
  // A cast is the only way to create this type without a template literal.
  const template = Object.assign([...texts], { raw: texts }) as unknown as TemplateStringsArray
  return toStatement(sql(template, ...values.map((value) => value as string | null)))
}
