/** What the partials of a site take and give, for those who ask after the check. */
import type { Site } from '../../model/site.ts'
import type { UnitParameter } from '../../model/signature.ts'
import { type Type, UNKNOWN } from '../../model/type.ts'
import { docType } from '../../types/from-doc.ts'
import { docParams, type FaceSignature, type UnitFacts } from './facts.ts'

export function facesOf(
  site: Site,
  factsOf: (file: string) => UnitFacts | undefined,
  params: ReadonlyMap<string, ReadonlyMap<string, Type>>,
): ReadonlyMap<string, FaceSignature> {
  const faces = new Map<string, FaceSignature>()
  for (const unit of new Set(site.partials.values())) {
    const file = unit.file.path
    const facts = factsOf(file)
    if (facts === undefined || unit.template === null) continue
    const passed = params.get(file)
    const declared = new Map(docParams(unit.template).map((param) => [param.name, param]))
    const parameters: UnitParameter[] = []
    for (const param of declared.values()) {
      const type = passed?.get(param.name) ?? (param.type === null ? null : docType(param.type)) ?? UNKNOWN
      parameters.push({ name: param.name, type, required: param.required, declared: true, span: param.span })
    }
    for (const [name, input] of facts.inputs) {
      if (!declared.has(name))
        parameters.push({
          name,
          type: passed?.get(name) ?? UNKNOWN,
          required: input.required,
          declared: false,
          span: input.span,
        })
    }
    faces.set(file, { parameters, result: facts.result })
  }
  return faces
}
