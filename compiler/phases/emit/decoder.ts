/** The type of an operation's answer → the code of what decodes it. */
import { type Code, ident, invoke, member, property, string } from '../../core/model/code.ts'
import type { SchemaResultField, SchemaResultObject, SchemaResultType } from '../../core/model/operation.ts'

const DECODE = ident('decode')

/** Decoders of scalars, by what they are to templates. */
const SCALARS: Readonly<Record<Extract<SchemaResultType, { kind: 'scalar' }>['name'], string>> = {
  ID: 'text',
  String: 'text',
  Date: 'text',
  Markup: 'markup',
  Int: 'number',
  Float: 'numeral',
  Boolean: 'flag',
  JSON: 'anything',
}

/** The decoder of a whole answer. */
export function answerDecoder({ fields }: SchemaResultObject): Code {
  // Any root field may be missing: one that fails is.
  return decoder('answer', partsCode(fields))
}

function decoderCode(type: SchemaResultType): Code {
  switch (type.kind) {
    case 'scalar':
      return member(DECODE, SCALARS[type.name])
    case 'enum':
      return decoder('oneOf', ...type.values.map(string))
    case 'list':
      return decoder('listOf', decoderCode(type.of))
    case 'nullable': {
      // What may be anything may be null.
      const anything = type.of.kind === 'scalar' && type.of.name === 'JSON'
      return anything ? decoderCode(type.of) : decoder('nullable', decoderCode(type.of))
    }
    case 'object': {
      const optional = type.fields.filter(({ isOptional }) => isOptional)
      const parts = partsCode(type.fields.filter(({ isOptional }) => !isOptional))
      return decoder('record', parts, ...(optional.length > 0 ? [partsCode(optional)] : []))
    }
  }
}

function partsCode(fields: readonly SchemaResultField[]): Code {
  const entries = fields.map(({ key, type }) => property(key, decoderCode(type)))
  return { kind: 'object', entries, lines: true }
}

function decoder(name: string, ...parts: readonly Code[]): Code {
  return invoke(member(DECODE, name), ...parts)
}
