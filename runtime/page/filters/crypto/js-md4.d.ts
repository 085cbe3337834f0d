/** The part of the package that is used; it comes without types. */
declare module 'js-md4' {
  interface Md4 {
    update(bytes: Uint8Array): this
    arrayBuffer(): ArrayBuffer
  }
  const md4: { create(): Md4 }
  export default md4
}
