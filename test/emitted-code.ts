/** Emitted modules as tests look at them: printed as JavaScript, or run. */
import { answerDecoder } from '../compiler/emit/decoder.ts'
import { oneScope } from '../compiler/emit/one-scope.ts'
import { print } from '../compiler/emit/print.ts'
import { give, ident } from '../compiler/model/code.ts'
import type { Module } from '../compiler/model/module.ts'
import type { AnswerObject } from '../compiler/model/operation.ts'
import * as runtime from '../runtime/index.ts'

/** The body of a module as JavaScript. */
export function plainText({ body }: Module): string {
  return print(body, 'javascript').text
}

/** The site that modules are. */
export function siteOf(modules: readonly Module[]): runtime.CompiledSite {
  const { text } = print([...oneScope(modules, 'runtime'), give(ident('site'))], 'javascript')
  return new Function('runtime', `'use strict'\n${text}`)(runtime) as runtime.CompiledSite
}

/** The decoder that an operation of that answer is emitted with. */
export function decoderOf(answer: AnswerObject): runtime.decode.Decoder<unknown> {
  const { text } = print([give(answerDecoder(answer))], 'javascript')
  return new Function('decode', `'use strict'\n${text}`)(runtime.decode) as runtime.decode.Decoder<unknown>
}
