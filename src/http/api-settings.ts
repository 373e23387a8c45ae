import { type SessionSettings, sessionSettingsDefault } from "../areas/access/rules.sessions";

/** What an operator decides of the ways in: plain JSON, told to each thread. */
export interface ApiSettings {
	/** For each address that reads the edge. */
	readonly edgeCallsPerSecondMax: number;
	/** Whether GraphQL tells of its schema. */
	readonly introspection: boolean;
	/** The operations of GraphQL that may be asked for, by the SHA-256 of their texts; undefined: any. */
	readonly operations: Readonly<Record<string, string>> | undefined;
	/** Whether webhooks may go to private and loopback addresses. */
	readonly allowPrivateWebhooks: boolean;
	/** Where people find this server, such as https://billing.example.com; undefined: where they call it. */
	readonly publicUrl: string | undefined;
	/** Undefined: no mail is sent. */
	readonly mail: MailSettings | undefined;
	readonly sessions: SessionSettings;
}

export interface MailSettings {
	/** With the user and the password: `smtp://` or `smtps://`. */
	readonly url: string;
	readonly from: string;
}

export const apiSettingsDefault: ApiSettings = {
	edgeCallsPerSecondMax: 100,
	introspection: true,
	operations: undefined,
	allowPrivateWebhooks: false,
	publicUrl: undefined,
	mail: undefined,
	sessions: sessionSettingsDefault,
};
