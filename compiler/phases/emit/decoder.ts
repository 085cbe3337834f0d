/** Converts the type of an operation's result to the code of its decoder. */
import { type Code, ident, invoke, member, object, property, string } from '../../core/model/code.ts'
import type { SchemaResultField, SchemaResultObject, SchemaResultType } from '../../core/model/operation.ts'

const DECODE = ident('decode')

/** The decoders of scalars, by type. */
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

/** Returns the decoder of a whole result. */
export function answerDecoder({ fields }: SchemaResultObject): Code {
  // Any root field may be missing, because a field that fails is left out.
  return decoder('answer', partsCode(fields))
}

function decoderCode(type: SchemaResultType): Code {
  switch (type.kind) {
    case 'scalar':
      return member(DECODE, SCALARS[type.name])
    case 'enum':
      return decoder('oneOf', ...type.values.map(string))
    case 'list':
      return decoder('listOf', decoderCode(type.inner))
    case 'nullable': {
      // A JSON value may always be null.
      const anything = type.inner.kind === 'scalar' && type.inner.name === 'JSON'
      return anything ? decoderCode(type.inner) : decoder('nullable', decoderCode(type.inner))
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
  return object(entries)
}

function decoder(name: string, ...parts: readonly Code[]): Code {
  return invoke(member(DECODE, name), ...parts)
}
