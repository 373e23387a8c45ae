import { type Amount, formatDateTime, formatMoney, formatRelative } from "./format";

export const Money = ({ of }: { readonly of: Amount | null | undefined }) => (
	<span className="figure">{formatMoney(of)}</span>
);

/** How long ago, with the instant itself on it. */
export const Ago = ({ at }: { readonly at: string | null | undefined }) =>
	at ? (
		<time dateTime={at} title={formatDateTime(at)}>
			{formatRelative(at)}
		</time>
	) : (
		<span className="quiet">–</span>
	);

export const When = ({ at }: { readonly at: string | null | undefined }) =>
	at ? (
		<time dateTime={at} title={at}>
			{formatDateTime(at)}
		</time>
	) : (
		<span className="quiet">–</span>
	);
