import { it } from 'vitest'
import { readFileSync } from 'node:fs'
import { compile } from '../compiler/compile.ts'
import { moduleText } from '../compiler/emit/emit.ts'
import { readCase, sourceFiles } from './case-file.ts'
it('x', () => {
  const path = process.env.CASE!
  const c = readCase('x', readFileSync(path, 'utf8'))
  const d = c.options.dialect ?? 'platform'
  const r = compile(sourceFiles(c.files, d), { dialect: d, syntax: 'lax', raise: c.options.errors !== 'inline', keepGoing: true, openEntries: true, format: 'html' })
  console.log(r.diagnostics.map((x) => x.code + ' ' + x.message).join('\n'))
  for (const m of r.modules) console.log('=====', m.path, '\n' + moduleText(m).text)
})
