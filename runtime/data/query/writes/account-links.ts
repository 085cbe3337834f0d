/** Writes links of users to external accounts, one for each provider. */
import type { Build, Input } from '../model.ts'
import { itemsOf, leafOf } from '../rows/input.ts'
import { plainText } from '../rows/comparison-values.ts'
import { checkLiteral, columnNames, type ColumnsSql, columnsSql, invalidValue } from './columns.ts'
import { identifier, join, sql, type Sql } from '../../sql/sql.ts'
import { plainJson } from '../../values/json-text.ts'

/** The SQL of the columns of a link. */
export type AccountLink = ColumnsSql

const COLUMNS = { token: 'text', token_expires_at: 'time', uid: 'text' } as const

/** Returns the links in an argument. When several links have the same provider, the last one is used. */
export function linksOf(input: Input | undefined, build: Build): readonly AccountLink[] {
  const links = itemsOf(input).flatMap((fields) => {
    const provider = leafOf(fields['provider'])
    if (provider === null) return []
    const columns = new Map(columnsSql(fields, COLUMNS, build))
    columns.set('provider', build.bind(provider, 'text', plainText))
    const info = leafOf(fields['raw_info'])
    if (info !== null) {
      const convert = (value: unknown): string => {
        const text = plainJson(value)
        if (text === null) throw invalidValue('raw_info', '`raw_info` contains the character NUL.', info.range)
        return text
      }
      checkLiteral(info, convert, build)
      columns.set('raw_info', build.bind(info, 'jsonb', convert))
    } else if (fields['raw_info'] === null) columns.set('raw_info', sql`null::jsonb`)
    return [columns]
  })
  return [...new Map(links.map((link) => [link.get('provider'), link])).values()]
}

/** Returns the parts of the statement that write the links of the users in `changed`. */
export function linkParts(links: readonly AccountLink[]): readonly Sql[] {
  return links.map((link, index) => {
    const assignments = [...link.keys()].map((column) => sql`${identifier(column)} = excluded.${identifier(column)}`)
    // Only a sign-in proves an identity, so another one is not proved.
    if (link.has('uid')) assignments.push(sql`issuer = case when a.uid = excluded.uid then a.issuer end`)
    return sql`${partName(index)} as (insert into ingot.authentications as a (user_id, ${columnNames(link)})
      select id, ${join(link.values())} from changed on conflict (user_id, provider) do update
      set ${join(assignments)}, updated_at = clock_timestamp(), deleted_at = null returning a.*)`
  })
}

/** Returns the relation of all links as they are after the statement. */
export function linksAfter(links: readonly AccountLink[]): Sql {
  const writtenLinks = join(
    links.map((_, index) => sql`select * from ${partName(index)}`),
    ' union all ',
  )
  return sql`(${writtenLinks} union all select * from ingot.authentications o where o.id not in (select id from (${writtenLinks}) f))`
}

function partName(index: number): Sql {
  return identifier(`link${index}`)
}
