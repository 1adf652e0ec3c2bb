/** Gives the pieces that some work comes to as they come, and returns its result. The work goes on when nobody reads on. */
export async function* whileRunning<P, T>(
  run: (push: (piece: P) => void) => Promise<T>,
): AsyncGenerator<P, T, void> {
  const pieces: P[] = [];
  let woken = Promise.withResolvers<void>();
  let isOver = false;
  const result = run((piece) => {
    pieces.push(piece);
    woken.resolve();
  });
  const over = () => {
    isOver = true;
    woken.resolve();
  };
  // Also marks a failure as seen that nobody waits for any more; who reads to the end gets it.
  result.then(over, over);
  while (!isOver) {
    await woken.promise;
    woken = Promise.withResolvers<void>();
    yield* pieces.splice(0);
  }
  return result;
}
