/** Evaluates emitted modules in tests. */
import { transformSync } from 'esbuild'
import { answerDecoder } from '../../compiler/phases/emit/decoder.ts'
import { oneScope } from '../../compiler/phases/emit/one-scope.ts'
import { print } from '../../compiler/phases/emit/print.ts'
import { give } from '../../compiler/core/model/code.ts'
import type { Module } from '../../compiler/core/model/module.ts'
import type { SchemaResultObject } from '../../compiler/core/model/operation.ts'
import * as runtime from '../../runtime/index.ts'

/** Evaluates modules and returns their site. */
export function siteOf(modules: readonly Module[]): runtime.CompiledSite {
  const text = oneScope(modules, 'runtime', 'typescript')
    .map((each) => each.text)
    .join('\n')
  const { code } = transformSync(text, { loader: 'ts', target: 'es2023' })
  return new Function('runtime', `'use strict'\n${code}\nreturn site`)(runtime) as runtime.CompiledSite
}

/** Returns the emitted decoder for results of this type. */
export function decoderOf(answer: SchemaResultObject): runtime.decode.Decoder<unknown> {
  const { text } = print([give(answerDecoder(answer))], 'javascript')
  return new Function('decode', `'use strict'\n${text}`)(runtime.decode) as runtime.decode.Decoder<unknown>
}
