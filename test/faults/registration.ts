/** The mock in the catalogue of a coordinator, as every fault test needs it. */
export const mockId = "urn:test:itm:mock:1";
export const environment = "development";

export async function registerMock(base: string, url: string): Promise<void> {
  await ask(`${base}/v1/tech-adapters`, "POST", { id: mockId, version: "1", name: "Mock" });
  await ask(`${base}/v1/tech-adapters/${mockId}/deployments/${environment}`, "PUT", { url });
}

async function ask(url: string, method: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${await answer.text()}`);
}
