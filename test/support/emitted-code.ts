/** Emitted modules as tests run them. */
import { transformSync } from 'esbuild'
import { answerDecoder } from '../../compiler/phases/emit/decoder.ts'
import { oneScope } from '../../compiler/phases/emit/one-scope.ts'
import { print } from '../../compiler/phases/emit/print.ts'
import { give } from '../../compiler/core/model/code.ts'
import type { Module } from '../../compiler/core/model/module.ts'
import type { SchemaResultObject } from '../../compiler/core/model/operation.ts'
import * as runtime from '../../runtime/index.ts'

/** The site that modules are. */
export function siteOf(modules: readonly Module[]): runtime.CompiledSite {
  const text = oneScope(modules, 'runtime', 'typescript')
    .map((each) => each.text)
    .join('\n')
  const { code } = transformSync(text, { loader: 'ts', target: 'es2023' })
  return new Function('runtime', `'use strict'\n${code}\nreturn site`)(runtime) as runtime.CompiledSite
}

/** The decoder that an operation of that answer is emitted with. */
export function decoderOf(answer: SchemaResultObject): runtime.decode.Decoder<unknown> {
  const { text } = print([give(answerDecoder(answer))], 'javascript')
  return new Function('decode', `'use strict'\n${text}`)(runtime.decode) as runtime.decode.Decoder<unknown>
}
