/** In a browser, a site is not kept for long, so collections are used unchanged. */

function asItIs<Value>(value: Value): Value {
  return value
}

export { asItIs as shareList, asItIs as shareMap, asItIs as shareSet, asItIs as shareText, asItIs as shareWords }
