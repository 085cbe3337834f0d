/** The signatures of partials: their parameters and results, as inferred by the check. */
import type { UnitParameter } from '../../../core/model/signature.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { docType } from '../../../language/types/from-doc.ts'
import { docParams, type PartialSignature, type UnitFacts } from '../walk/facts.ts'

/** Returns the signature of a partial; undefined for a unit without a template. `passed`: the argument types joined over all callers. */
export function signatureOf(
  { template }: Unit,
  { inputs, result }: UnitFacts,
  passedTypes: ReadonlyMap<string, Type> | undefined,
): PartialSignature | undefined {
  if (template === null) return undefined
  const declaredParams = new Map(docParams(template).map((param) => [param.name, param]))
  const parameters: UnitParameter[] = []
  for (const param of declaredParams.values()) {
    const type = passedTypes?.get(param.name) ?? (param.type === null ? null : docType(param.type)) ?? UNKNOWN
    parameters.push({ name: param.name, type, required: param.required, declared: true })
  }
  for (const [name, input] of inputs) {
    if (!declaredParams.has(name))
      parameters.push({
        name,
        type: passedTypes?.get(name) ?? UNKNOWN,
        required: input.required,
        declared: false,
      })
  }
  return { parameters, result }
}
