import { draftWorld, items } from "./support";

export const path = "/contracts/C-1";
export const publish = `${path}/billing/publish`;
export const editActive = `${path}/billing/edit-active`;
/** From the day after the tests' now on. */
export const term = { activationStartDate: "2026-02-01T00:00:00.000Z", activationEndDate: "2027-02-01T00:00:00.000Z" };

export type Here = Awaited<ReturnType<typeof draftWorld>>;

export async function ok({ call }: Here, method: string, at: string, body?: object) {
	const answer = await call(method, at, { ...(body && { body }) });
	if (answer.status >= 300) throw new Error(`${method} ${at}: ${JSON.stringify(answer.body)}`);
	return answer.body.data;
}

export async function published(lines: object[], window: object = term): Promise<Here> {
	const here = await draftWorld();
	await ok(here, "POST", items, { items: lines, ...window });
	await ok(here, "POST", publish);
	return here;
}

export const totalOf = async (here: Here) => (await ok(here, "GET", `${path}/billing/summary`)).total;
