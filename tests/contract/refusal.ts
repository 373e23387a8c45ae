import { expect } from "bun:test";
import type { Answer } from "../support/world";

/** An error body as the interface has it: these two keys and no other; the message is a sentence that names the thing. */
export function isError(answer: Answer, status: number, code: string | null, ...says: string[]): void {
	expect({ status: answer.status, body: answer.body }).toEqual({
		status,
		body: { message: expect.stringMatching(/^\S.{8,}\.$/s), code },
	});
	for (const text of says) expect(answer.body.message).toContain(text);
}
