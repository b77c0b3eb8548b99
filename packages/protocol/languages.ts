/** All languages that the widget speaks, as BCP 47 tags. */
export const SPOKEN: readonly string[] = (
  "en ar bg ca cs da de el es et fa fi fr ga he hi hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr uk vi " +
  "zh-CN zh-TW"
).split(" ");
