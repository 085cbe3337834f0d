/** In a browser, a site is not kept for long, so collections are used unchanged. */

function asItIs<Value>(value: Value): Value {
  return value
}

export { asItIs as keptList, asItIs as keptMap, asItIs as keptSet, asItIs as keptText, asItIs as keptWords }
