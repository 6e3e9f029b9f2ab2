declare module 'process-on-spawn' {
  /**
   * Called for each process that is about to start. The process gets the environment that it sets as `env`.
   */
  function addListener(listener: (child: { env: Record<string, string> }) => void): void
  export default { addListener }
}
