/**
 * The same response, whose body fails when more of it comes than anybody needs: a server, or what packs its answers, could
 * fill this process's memory. Counted as unpacked.
 */
export const boundedResponse = (response: Response, maxBytes: number): Response => {
  if (response.body === null) return response;
  let read = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        read += chunk.length;
        if (read > maxBytes) controller.error(new Error(`it said more than ${maxBytes / 1024 / 1024} MiB`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(counted, { status, statusText, headers }), "url", { value: url });
};
