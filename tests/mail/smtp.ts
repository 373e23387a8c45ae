import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Received {
	readonly from: string;
	readonly to: readonly string[];
	readonly text: string;
}

/** A mail server in this process. `refuses` says how many mails it turns away first. */
export async function smtpServer({ refuses = 0, user }: { refuses?: number; user?: string } = {}) {
	const received: Received[] = [];
	let left = refuses;
	const server = new SMTPServer({
		disabledCommands: ["STARTTLS", ...(user === undefined ? ["AUTH"] : [])],
		allowInsecureAuth: true,
		onAuth: ({ username, password }, _, done) =>
			done(username === user && password === "secret" ? null : new Error("Wrong password"), { user: username }),
		onData: (stream, { envelope }, done) => {
			const chunks: Buffer[] = [];
			stream.on("data", (chunk: Buffer) => chunks.push(chunk));
			stream.on("end", () => {
				left -= 1;
				if (left >= 0) return done(Object.assign(new Error("Try later"), { responseCode: 451 }));
				const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
				received.push({
					from,
					to: envelope.rcptTo.map(({ address }) => address),
					text: Buffer.concat(chunks).toString(),
				});
				done();
			});
		},
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const { port } = server.server.address() as AddressInfo;
	return {
		received,
		url: `smtp://${user === undefined ? "" : `${user}:secret@`}127.0.0.1:${port}`,
		close: () => new Promise<void>((closed) => server.close(closed)),
	};
}

/** The token of the link in a mail: lines may be folded. */
export const tokenIn = ({ text }: Received): string =>
	/#token=3?D?([\w-]+)/.exec(text.replace(/=\r?\n/g, ""))?.[1] ?? "";
