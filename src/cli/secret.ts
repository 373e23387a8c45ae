import { Command } from "commander";
import { replaceAnchor } from "../areas/audit/operations.kept-anchor";
import { assertCurrent, openFolder } from "../files";
import { folderSecret, replaceSecret } from "../folder/secret";
import { lockFolder } from "../kernel/storage/lock";
import type { CliContext } from "./context";

/** Lists what derives from the folder's secret, and what to do about each after a replacement. */
const consequences = [
	"Webhooks are signed by other secrets: rotate each one's secret, and give it to its receiver.",
	"Client hardening has another signing secret: `tollgate environments set --client-hardening on` prints it for your backend.",
	"Second factors of people do not work: `tollgate users drop-second-factor --email ADDRESS`; they enrol again.",
	"Identity providers need their client secret again: set it in the console or by PATCH /api/v1/identity-providers/{id}.",
	"Anchors of the audit log that you keep cannot be verified: take another one by `tollgate audit anchor`.",
	"Ids of usage events that clients have kept are unknown, and mails that waited to be sent are lost.",
];

export function secretCommand(context: CliContext): Command {
	const secret = new Command("secret").description(
		"The folder's own secret, from which signing secrets and second factors derive.",
	);
	secret
		.command("replace")
		.description(
			"accept the secret that lies in the folder, or write a new one where it is missing or damaged; what derives from the lost one ends. The server must not run",
		)
		.action(() => replace(context));
	return secret;
}

function replace({ config, print }: CliContext): void {
	const { dataDir } = config();
	assertCurrent(dataDir);
	const unlock = lockFolder(dataDir);
	try {
		const { db } = openFolder(dataDir);
		try {
			const { isNew } = replaceSecret(db.$client, dataDir);
			replaceAnchor(dataDir, folderSecret(dataDir));
			print(isNew ? "wrote a new secret; take a backup" : "accepted the secret that lies in the folder; take a backup");
			for (const line of consequences) print(line);
		} finally {
			db.$client.close();
		}
	} finally {
		unlock();
	}
}
