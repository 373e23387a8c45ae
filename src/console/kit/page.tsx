import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { CopyAsCurl } from "./copy";
import { Icon } from "./icons";

export interface PageProps {
	readonly title: string;
	/** One sentence that says what is here. */
	readonly text?: ReactNode;
	/** Beside the title: a state, an id. */
	readonly beside?: ReactNode;
	/** The screen that leads here, as a link. */
	readonly parent?: { readonly name: string; readonly path: string };
	/** Buttons, the most important last. */
	readonly actions?: ReactNode;
	/** What the screen shows, below /api/v1. */
	readonly curl?: string | undefined;
	readonly children: ReactNode;
}

/** The frame of each screen. */
export function Page({ title, text, beside, parent, actions, curl, children }: PageProps) {
	useEffect(() => {
		document.title = `${title} · Tollgate`;
	}, [title]);
	return (
		<>
			<header className="page">
				{parent && (
					<Link href={parent.path} className="parent">
						<Icon name="left" size={12} /> {parent.name}
					</Link>
				)}
				<div className="bar">
					<div className="title">
						<h1>{title}</h1>
						{beside}
					</div>
					<div className="actions">
						{curl !== undefined && <CopyAsCurl path={curl} />}
						{actions}
					</div>
				</div>
				{text && <p className="quiet">{text}</p>}
			</header>
			{children}
		</>
	);
}

export interface CardProps {
	readonly title?: string;
	readonly text?: ReactNode;
	readonly actions?: ReactNode;
	/** What fills it to its edges: a table. */
	readonly isFlush?: boolean;
	readonly children?: ReactNode;
}

/** A part of a screen. */
export const Card = ({ title, text, actions, isFlush, children }: CardProps) => (
	<section className={isFlush ? "card flush" : "card"}>
		{(title || actions) && (
			<header>
				<div>
					{title && <h2>{title}</h2>}
					{text && <p className="quiet small">{text}</p>}
				</div>
				{actions && <div className="actions">{actions}</div>}
			</header>
		)}
		{children}
	</section>
);

/** Names and values, one below the other; an empty value is left out by its caller. */
export const Facts = ({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) => (
	<dl className="facts">
		{of.map(([name, value]) => (
			<div key={name}>
				<dt>{name}</dt>
				<dd>{value ?? "–"}</dd>
			</div>
		))}
	</dl>
);

export interface EmptyProps {
	readonly title: string;
	/** What would stand here, and how it comes about. */
	readonly text?: ReactNode;
	readonly action?: ReactNode;
}

export const Empty = ({ title, text, action }: EmptyProps) => (
	<div className="empty">
		<p className="strong">{title}</p>
		{text && <p className="quiet">{text}</p>}
		{action}
	</div>
);

/** Where something will be in a moment. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
	<div className="skeleton" aria-busy="true">
		{Array.from({ length: lines }, (_, at) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
			<span key={at} />
		))}
	</div>
);

/** How far something has come, in whole percent. */
export const Progress = ({ percent, label }: { readonly percent: number; readonly label: string }) => (
	<span className="progress">
		<progress max={100} value={percent} aria-label={label} />
		<span className="figure small quiet">{percent} %</span>
	</span>
);
