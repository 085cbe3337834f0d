/** Nobody asks a browser what templates take and give. */
export function faceOf(): undefined {
  return undefined
}
