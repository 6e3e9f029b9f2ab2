declare module 'process-on-spawn' {
  /**
   * Adds a listener that is called before each start of a process. The process gets the environment that the
   * listener sets as `env`.
   */
  function addListener(listener: (child: { env: Record<string, string> }) => void): void
  export default { addListener }
}
