import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { chooseLanguage, language, languages } from "../messages/language";
import { t } from "../messages/shared/frame";
import { ClockBar } from "../pages/clock/clock-bar";
import { screenGroups } from "../screens";
import { chooseEnvironment, type EnvironmentOfMe, environmentsOf, type Me, useSignOut } from "../session";
import { chooseTheme, type Theme, theme, themes } from "../theme";
import { Icon } from "./icons";
import { Menu } from "./menu";
import { PaletteButton } from "./palette";
import { Badge } from "./values";

interface ShellProps {
	readonly me: Me;
	readonly environment: EnvironmentOfMe;
	readonly children: ReactNode;
}

/** The frame around each screen: the menu, the environment and the account of the person. */
export function Shell({ me, environment, children }: ShellProps) {
	const [isOpen, setOpen] = useState(false);
	const [path] = useLocation();
	const main = useRef<HTMLElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when it has led somewhere.
	useEffect(() => setOpen(false), [path]);
	return (
		<div className={isOpen ? "shell open" : "shell"}>
			<button type="button" className="skip" onClick={() => main.current?.focus()}>
				{t.skip}
			</button>
			<header className="top">
				<button
					type="button"
					className="bare"
					aria-label={t.menu}
					aria-expanded={isOpen}
					aria-controls="side"
					onClick={() => setOpen(!isOpen)}
				>
					<Icon name={isOpen ? "close" : "menu"} />
				</button>
				<Brand />
			</header>
			<div id="side" className="side">
				<Brand />
				<EnvironmentMenu me={me} current={environment} />
				<PaletteButton />
				<nav aria-label={t.main}>
					{screenGroups.map(({ name = "", screens }) => (
						<ScreenLinks key={name} name={name} screens={screens} path={path} />
					))}
				</nav>
				<PersonMenu me={me} />
			</div>
			<main ref={main} tabIndex={-1}>
				{environment.type !== "PRODUCTION" && <ClockBar />}
				{children}
			</main>
		</div>
	);
}

const Brand = () => (
	<Link href="/" className="brand">
		<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
			<rect width="32" height="32" rx="8" />
			<path d="M8 23V9h4v14zm6-9.5 11-4.2v4.2l-11 4.2z" />
		</svg>
		Tollgate
	</Link>
);

function ScreenLinks({ name, screens, path }: { name: string; path: string } & (typeof screenGroups)[number]) {
	if (screens.length === 0) return null;
	return (
		<>
			{name && <p>{name}</p>}
			<ul>
				{screens.map(({ name: text, path: to, icon }) => (
					<li key={to}>
						<Link href={to} aria-current={isBelow(path, to) ? "page" : undefined}>
							<Icon name={icon} />
							{text}
						</Link>
					</li>
				))}
			</ul>
		</>
	);
}

const isBelow = (path: string, of: string): boolean => path === of || (of !== "/" && path.startsWith(`${of}/`));

const typeTones = { PRODUCTION: "good", SANDBOX: "warn", DEVELOPMENT: "info" } as const;

/** Leaves out the type of an environment whose name contains it. */
function EnvironmentBadge({ of: { name, type } }: { readonly of: EnvironmentOfMe }) {
	const kind = type.toLowerCase();
	if (name.toLowerCase() === kind) return null;
	return <Badge tone={typeTones[type as keyof typeof typeTones] ?? "quiet"}>{kind}</Badge>;
}

const EnvironmentMenu = ({ me, current }: { readonly me: Me; readonly current: EnvironmentOfMe }) => (
	<Menu
		label={`${t.environment}: ${current.name} ${current.type.toLowerCase()}`}
		buttonClass="environment"
		button={
			<>
				<span className="strong">{current.name}</span>
				<EnvironmentBadge of={current} />
				<Icon name="down" size={12} />
			</>
		}
		groups={[
			{
				name: t.environment,
				items: environmentsOf(me).map((one) => ({
					key: one.id,
					label: (
						<>
							{one.name} <EnvironmentBadge of={one} />
						</>
					),
					isChosen: one.id === current.id,
					onChoose: () => chooseEnvironment(one.id),
				})),
			},
		]}
	/>
);

function PersonMenu({ me }: { readonly me: Me }) {
	const [chosen, setChosen] = useState(theme);
	const signOut = useSignOut();
	const [, navigate] = useLocation();
	const names: Readonly<Record<Theme, string>> = { system: t.system, light: t.light, dark: t.dark };
	return (
		<Menu
			label={`${me.name ?? me.email}: ${t.signedInAs({ email: me.email })}`}
			buttonClass="person"
			button={
				<>
					<Icon name="user" />
					<span>{me.name ?? me.email}</span>
				</>
			}
			groups={[
				{
					name: t.appearance,
					items: themes.map((one) => ({
						key: one,
						label: names[one],
						isChosen: one === chosen,
						onChoose: () => {
							chooseTheme(one);
							setChosen(one);
						},
					})),
				},
				{
					name: t.language,
					items: (Object.keys(languages) as (keyof typeof languages)[]).map((one) => ({
						key: one,
						label: languages[one],
						isChosen: one === language,
						onChoose: () => chooseLanguage(one),
					})),
				},
				{
					items: [
						{ key: "sign-in", label: t.yourSignIn, onChoose: () => navigate("/settings/sign-in") },
						{ key: "docs", label: t.documentation, onChoose: () => void window.open("/docs", "_blank", "noopener") },
						{ key: "out", label: t.signOut, onChoose: () => signOut.mutate() },
					],
				},
			]}
		/>
	);
}
