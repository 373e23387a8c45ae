import { type SessionSettings, sessionSettingsDefault } from "../areas/access/rules.sessions";

/** Settings of the HTTP interface. Plain JSON, which each thread receives. */
export interface ApiSettings {
	/** The limit for each address that reads the edge. */
	readonly edgeCallsPerSecondMax: number;
	/** Whether GraphQL allows introspection. */
	readonly introspection: boolean;
	/** The allowed GraphQL operations by the SHA-256 of their text; undefined for all. */
	readonly operations: Readonly<Record<string, string>> | undefined;
	/** Whether webhooks may use private and loopback addresses. */
	readonly allowPrivateWebhooks: boolean;
	/** The public address of this server, such as https://billing.example.com; undefined for the address of the call. */
	readonly publicUrl: string | undefined;
	/** The mail server; undefined if Tollgate sends no email. */
	readonly mail: MailSettings | undefined;
	readonly sessions: SessionSettings;
}

export interface MailSettings {
	/** `smtp://` or `smtps://`, with user and password. */
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
