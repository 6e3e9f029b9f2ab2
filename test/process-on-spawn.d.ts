declare module 'process-on-spawn' {
  /** Called for each process that is about to start; what it sets `env` to is what the process gets. */
  function addListener(listener: (child: { env: Record<string, string> }) => void): void
  export default { addListener }
}
