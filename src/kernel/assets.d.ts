// Files that are embedded in the executable by `import … with { type }`.
declare module "*.sql" {
	const text: string;
	export default text;
}
declare module "*.ttf" {
	const path: string;
	export default path;
}
