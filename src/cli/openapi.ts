import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../app";
import { Watching } from "../areas/entitlements/stream/operations";
import { EventIds } from "../areas/usage/events/rules.event-ids";
import { EventIntake } from "../areas/usage/ingest/operations";
import type { EventIngest } from "../areas/usage/schema.ingest";
import { openPrepared, schemas } from "../files";
import { Disk } from "../folder/disk";
import { PersistedOperations } from "../graphql/request/persisted";
import { apiSettingsDefault } from "../http/api-settings";
import { Authenticator } from "../http/authentication/authenticator";
import { Bodies } from "../http/body";
import { Senders } from "../http/client-address";
import { AnswerCache } from "../http/fast-path/answer-cache";
import { AddressLimit, EntityLimits } from "../http/limits/limits";
import { openLog } from "../http/log";
import { specPath } from "../http/pages/docs";
import { OpenStreams } from "../http/responses/streams";
import { UnreadAnswers } from "../http/responses/unread";
import { Meter } from "../kernel/metrics/meter";
import { prepareFiles } from "../kernel/storage/db";
import { writesBy } from "../server/writer-calls";
import { timeSlices } from "../tasks/time-slices";

/** Returns the document of `GET /openapi.json`, built by the same routes on a temporary folder. */
export async function openApiDocument(): Promise<unknown> {
	const folder = mkdtempSync(join(tmpdir(), "tollgate-openapi-"));
	prepareFiles(folder, schemas);
	const { db, transactions } = openPrepared(folder);
	try {
		const authenticator = new Authenticator({ transactions, folderSecret: "" });
		const log = openLog("error");
		const events: EventIngest = {
			send: async () => ({ kind: "unavailable", message: "No server is running.", retryAfterSeconds: 1 }),
		};
		const app = createApp({
			transactions,
			turns: timeSlices(),
			write: writesBy(transactions),
			authenticator,
			answers: new AnswerCache({ transactions, authenticator, log }),
			limits: new EntityLimits(),
			edgeLimit: new AddressLimit(apiSettingsDefault.edgeCallsPerSecondMax),
			api: apiSettingsDefault,
			outgoing: { folderSecret: "", allowPrivateWebhooks: false, mailOrigin: null },
			persisted: new PersistedOperations(undefined),
			bodies: new Bodies(),
			senders: new Senders([]),
			streams: new OpenStreams(),
			meter: new Meter(),
			unread: new UnreadAnswers(),
			watching: new Watching(transactions, log),
			disk: new Disk({ folder }),
			events,
			intake: new EventIntake({ transactions, events }),
			eventIds: new EventIds(""),
			log,
			stopping: new AbortController().signal,
			notReady: () => [],
		});
		await app.modules;
		const response = await app.handle(new Request(`http://localhost${specPath}`));
		const text = await response.text();
		if (!response.ok) throw new Error(`The document cannot be built: ${text}`);
		return JSON.parse(text);
	} finally {
		db.$client.close();
		rmSync(folder, { recursive: true, force: true });
	}
}
