import { expect } from "bun:test";
import type { World } from "./world";

/** Asserts that a call is refused with a code, and with a text in its message. */
export async function refused(
	{ call }: Pick<World, "call">,
	method: string,
	path: string,
	body: object,
	[code, text]: readonly [string, string],
): Promise<void> {
	const answer = await call(method, path, { body });
	expect([answer.status >= 400, answer.body.code]).toEqual([true, code]);
	expect(answer.body.message).toContain(text);
}
