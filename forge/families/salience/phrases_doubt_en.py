"""English cues that a sentence speaks against a plan, declines, refers elsewhere or only gives a tip. Of no seed.

Standard library only, because exported readers ship it. All are matched against lower-case text without markup.
"""

from __future__ import annotations

import re


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(alternatives)})(?![^\W_])")


def _start(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{'|'.join(alternatives)})(?![^\W_])")


TURN = _any(
    r"hang on", r"hold on", r"hold up", r"hold your horses", r"wait(?=\W|$)(?! (?:until|for|till|in|at|\d))", r"o+ps",
    r"oh dear", r"oh no(?=\W)(?!, what)",
    r"(?:(?:one|a|the|small|slight|tiny|little|big|only|main|real|obvious) )+(?:problem|snag|hitch|catch"
    r"|caveat|hiccup|wrinkle)(?! (?:with traffic|at all))",
    r"there's (?:just )?(?:a|one) (?:\w+ )?(?:problem|snag|hitch|catch|caveat|issue)", r"bad news", r"caveat",
    r"heads-? ?up", r"reality check", r"not to spoil", r"hate to",
    r"sorry to (?:say|spoil|break|pour|be|disappoint|rain)", r"on (?:rereading|reflection|second thoughts?)",
    r"now (?:that )?i (?:think|look|read|see|notice)", r"come to think",
    r"i (?:misread|overlooked|missed|just noticed|just reali[sz]ed)", r"reading (?:\w+ ){1,4}again",
    r"i should have (?:said|mentioned|noticed)",
    r"i(?:'ve| have) (?:only |just )+(?:now )?(?:\w+ ){0,2}(?:noticed|reali[sz]ed|seen|read|taken|spotted)",
    r"i(?:'ve| have) (?:only now|overlooked|missed|misread)", r"scrap that", r"strike that",
    r"have you (?:ever|thought|considered|noticed|tried)", r"you do (?:know|reali[sz]e)", r"it strikes me",
    r"it occurs to me", r"are you (?:quite |really |absolutely )?sure", r"is (?:that|this|it) (?:wise|right|really)",
    r"i (?:do )?wonder", r"puzzles me", r"just so you know", r"the trouble", r"bit late",
    r"before you (?:rush|go|buy|order|spend|set|celebrate)", r"pour cold water", r"rain on your", r"break it to you",
    r"spoil ?sport", r"with (?:all )?(?:due )?respect", r"except that",
    r"one (?:last|more|final) (?:thing|thought|point)", r"but honestly", r"p\.? ?(?:p\. ?)?s", r"that is, if",
    r"then again", r"i can't picture", r"i can't see", r"i don't see", r"i hate", r"seriously",
)  # fmt: skip
"""Turns by which a writer goes against what was asked or said."""

HEDGE = _any(
    r"i(?:'m| am) afraid", r"i fear", r"mind you", r"mind(?=\W*(?:$|[,;:.]))",
    r"in (?:reality|practice|real life|truth)", r"strictly speaking",
    r"(?:should|must|has to|needs to|ought to) be (?:said|noted|mentioned|observed|pointed|stressed)",
    r"it is to be noted", r"worth (?:noting|mentioning|saying|pointing)", r"(?:please )?be aware",
    r"important to note", r"unfortunately", r"sadly", r"alas", r"i must (?:point|mention|say|add|warn|note)",
    r"to be (?:honest|fair|frank)", r"by the way", r"kindly observe", r"please note",
)  # fmt: skip
"""Softer ones, which a tip may open with too."""

ASIDE = _any(
    r"note(?: that)?", r"n\.?b", r"though", r"however", r"that said", r"then again", r"mind that", r"although", r"but",
    r"h+m+", r"hum", r"erm?", r"uh", r"ah", r"oh", r"yet", r"actually", r"except", r"unless", r"still",
    r"nevertheless", r"nonetheless", r"on the other hand", r"careful", r"even so", r"whereas",
)  # fmt: skip
"""Weaker turns, which tips open with too."""

LIMITER = _any(
    r"only", r"just", r"merely", r"nothing but", r"at best", r"solely", r"alone", r"purely", r"no more than",
    r"as far as", r"rather than", r"instead of", r"not so much",
    r"all (?:it|they|that|you|the \w+) (?:\w+ )?(?:can|does|do|will|would)", r"anything but", r"other than",
)  # fmt: skip
PAST = _any(
    r"already", r"too late", r"gone", r"missed", r"is (?:long )?over", r"it's (?:long )?over", r"'s over",
    r"behind us", r"behind you",
    r"has (?:\w+ )?(?:been|happened|ended|passed|moved|left|sailed|closed|finished|bolted|come)",
    r"have (?:\w+ )?(?:been|happened|ended|passed|moved|left|sailed|closed|finished|bolted)",
    r"\w+ (?:days?|weeks?|months?|hours?) ago", r"time machine", r"by now", r"no longer", r"past it",
    r"after the (?:fact|event)", r"once", r"moved on", r"history", r"closed", r"shut (?:it |them )?out",
    r"was decided", r"were decided", r"is decided", r"settled", r"done and dusted", r"handed out", r"history",
    r"belongs to", r"somebody else", r"someone else", r"late(?! (?:fee|afternoon|evening|morning|at night))",
)  # fmt: skip
STASIS = _any(
    r"(?:will|'ll|would|'d|just|simply|going to|to) (?:\w+ )?(?:stay|remain|keep|stand|sit|lie|be stuck"
    r"|still be)(?:ing)?(?! (?:safe|calm|hot|warm|cool|fresh|dry|in))",
    r"(?:stays?|remains?|stuck)(?! (?:safe|calm|hot|warm|cool|fresh))",
    r"as \w+(?:-\w+)? as (?:before|ever|they|it|the|when|you|a)", r"exactly where",
    r"where (?:you|it|they|he|she) (?:\w+ )?(?:parked|left|lands?|put|stood|started)", r"straight back", r"unchanged",
    r"as before", r"the same \w+ (?:as|back)", r"going nowhere", r"nowhere", r"what (?:it|they|goes|went) \w+ is what",
    r"are what they are", r"is what it is", r"all the same", r"whatever (?:you|the|it|they|happens|numbers?)",
    r"however (?:many|much|long|often|hard|carefully)", r"no matter",
)  # fmt: skip
VOID = _any(
    r"zero", r"none", r"nobody", r"no-?one", r"no one", r"nothing", r"nowhere", r"never", r"empty(?:-handed)?",
    r"not (?:one|a single|a|an|so much|even)", r"neither", r"no \w+", r"useless", r"pointless", r"impossible",
    r"hopeless", r"in vain", r"moot", r"meaningless", r"fantasy", r"wasted?", r"lost",
)  # fmt: skip
REJECTION = _any(
    r"(?:send|sent|sends|spit|spits|bounces?|hand|push|pushes|give|gives|come|comes) (?:\w+ ){0,5}back",
    r"turn(?:s|ed)? (?:\w+ ){1,3}(?:down|away)", r"(?:refuse|reject|ignore|decline)[sd]?", r"(?:takes?|took|take) no",
    r"(?:blink|flash|show|turn)s? red", r"laugh\w*", r"the wrong", r"wrong (?:sort|kind|number|thing|one|six)",
    r"isn't (?:one|a|an)", r"is not (?:one|a|an)", r"aren't", r"belongs?", r"stuck", r"in the way", r"sinks?",
    r"bounces?", r"(?:fall|falls|come|comes|falling|drop) (?:\w+ )?(?:down|off|out|apart|through)", r"drown\w*",
    r"flops?", r"stop[s]? (?:\w+ )?(?:dead|there)", r"far (?:too|beyond|below|smaller|less)",
    r"too (?:small|tiny|far|thin|faint|heavy)", r"times too", r"paperweights?", r"scrap", r"souvenir",
    r"has(?:n't| no)", r"have no", r"there(?:'s| is| are) no", r"without (?:a|an|any)", r"no such", r"what's going to",
    r"knows? nothing", r"doesn't know", r"different (?:animal|thing|kettle|matter)", r"expects?", r"wants?", r"wanted",
    r"asks? for", r"looks? for",
)  # fmt: skip
COUNTER = _any(
    r"would(?! (?:like|love|recommend|suggest|need|take|be (?:great|good|happy|lovely|fine|best|safe"
    r"|about|around)))", r"you'd(?! (?:like|need|better|want|be (?:done|finished|home|back)))", r"they'd", r"it'd",
    r"he'd", r"she'd", r"if (?:\w+ ){1,4}(?:were|did|could|had|worked)",
)  # fmt: skip
RHETORICAL = re.compile(
    r"(?<![^\W_])(?:(?:how|what|who|where|with what|which|why)(?:'s|'ll|'d)? (?:\w+ )?(?:is|are|will|would|could|can"
    r"|exactly|going|on earth|was|were|does|do)(?![^\W_])"
    r"|(?:who|what|how|where)'(?:s|ll|d)(?![^\W_])|you (?:do|did|didn't|do not|don't) |(?:isn't|wasn't|aren't"
    r"|won't|didn't"
    r"|wouldn't|don't|did|does) (?:it|that|they|you|he|she) *[?]|are you sure|did you mean|do you mean)"
)
ASKING = _any(
    r"which", r"how (?:many|much|old|long|big|large|far|warm|often|heavy)",
    r"what (?:kind|type|sort|size|model|brand|is|are|flour|yeast)",
    r"(?:could|can|would|will) you (?:please |kindly )?(?:give|tell|let|share|clarify|provide|specify"
    r"|confirm|say|describe|send|explain)", r"do you (?:have|know|use|want|plan|live)", r"is (?:it|the|this|that)",
    r"are (?:the|there|you|they)", r"does (?:it|the|your)",
    r"please (?:give|tell|let|share|clarify|provide|specify|confirm|describe|send)",
    r"further (?:particulars|information|details)", r"more (?:information|details|context)",
    r"i(?:'d| would) (?:\w+ )?(?:want|need|like|have) to know",
    r"before i (?:can )?(?:say|answer|give|help|reply|tell)", r"in order to (?:assist|help|answer)",
    r"i(?:'d| would| will|'ll)? need (?:to know|more|some|a few|further)",
)  # fmt: skip

DECLINES = _any(
    r"i(?:'m| am)? (?:\w+ )?(?:can't|cannot|can not|won't|will not|don't|do not|wouldn't|would not"
    r"|couldn't|not|unable to|must not|shouldn't|rather not) (?:\w+ ){0,2}?(?:help|assist|handle|discuss"
    r"|provide|say|tell|advise|recommend|give|answer|comment|take part|support|offer|deal|cover|have|know"
    r"|do|predict|qualified|comfortable|able|allowed|set|plan|get involved|calculate|compute|estimate"
    r"|involve|foresee|access|feel|speak|process|judge|engage|want to|in a position|participate|work with"
    r"|see|determine|be|share|talk|go into|stay)",
    r"i(?:'d| would) (?:rather|better|prefer) (?:not|to stay out|stay|keep|leave)", r"i(?:'d| had) better not",
    r"i(?: \w+)? (?:must |have to )?(?:decline|refuse)", r"i (?:regret|apologi[sz]e)",
    r"(?:is|are) not (?:a|an) (?:topic|subject|question|matter|area)", r"not (?:a topic|something i)",
    r"outside (?:of )?(?:my|the)", r"beyond (?:my|the scope)",
    r"(?:can't|cannot|unable to|won't|not able to) (?:be foreseen|help|assist|comply|answer)(?: (?:with"
    r"|you|here|this|that|on|by)\b|\W|$)", r"i have no (?:information|access|data|knowledge|way|idea|insight)",
    r"(?:sorry|apologies)(?! to (?:say|break|spoil|pour|disappoint))", r"stay out of it", r"as an ai",
    r"not (?:really |quite )?my (?:area|field|department|place|job)", r"no comment",
    r"i(?:'m| am) (?:unable|not able|just an|only an)", r"not (?:qualified|comfortable|authori[sz]ed|permitted)",
    r"against my", r"(?:no|not enough) (?:information|details|data) (?:to|for|about|on)", r"it depends", r"depends on",
)  # fmt: skip
REFERS = _any(
    r"consult", r"contact", r"get in touch",
    r"(?:please )?(?:check|ask|speak|talk)(?: directly)? (?:with|to|at|the|your|a)(?! (?:neighbour" r"|friend))",
    r"turn to", r"follow the manufacturer", r"(?:is|are) (?:a job|best left|a matter) (?:for|to)", r"refer to",
    r"seek (?:advice|help|professional)", r"see (?:a|your) (?:doctor|dentist|lawyer|professional)", r"professionals?",
    r"specialist", r"licen[sc]ed", r"expert",
)  # fmt: skip
OTHER_REASON = _any(
    r"safe(?:ty)?", r"unsafe", r"danger(?:ous|s)?", r"hurt", r"injur\w+", r"illegal", r"law(?:s|ful)?",
    r"legal(?:ly)?", r"regulations?", r"rules?", r"privacy", r"private", r"security reasons", r"hygien\w+",
    r"health(?:y)?", r"legionella", r"contaminat\w+", r"ill(?:ness)?", r"fumes", r"toxic", r"welfare", r"insurance",
    r"copyright", r"comfort(?:able)?", r"expensive", r"costly", r"price",
    r"too (?:heavy|tiring|much work|long|dear|cold|hot|loud|busy|boring|risky)", r"(?:not|\w+n't) (?:be )?allowed",
    r"permission", r"permit(?:ted)?", r"prohibited", r"forbidden", r"risk(?:y|s)?", r"unethical", r"ethic\w+",
    r"minors", r"supervis\w+", r"approved", r"cruel(?:ty)?", r"back pain", r"tired", r"boring", r"in bad taste",
    r"rude", r"noise", r"environment(?:al)?", r"wasteful", r"bad for", r"against the (?:rules|law)", r"gambling",
    r"fire hazard", r"hazard(?:ous|s)?", r"liabilit\w+", r"allerg\w+",
)  # fmt: skip
"""Reasons of another kind than a plan that cannot work."""

_VERBS = (
    r"keep|take|make|wear|bring|use|check|remember|be|put|have|get|cover|watch|mind|carry|wrap|mark|choose|prick|serve|plan"
    r"|book|shade|lay|wipe|dip|dissolve|tie|cut|stick|start|allow|leave|add|buy|try|save|ask|wash|store|send|give|let|set"
    r"|open|hold|walk|drive|tell|hand|line|fold|place|pick|work|do|go|look|read|turn|hang|feed|pour|fill|stand|speak|pack"
    r"|label|weigh|rinse|stir|knead|test|charge|enjoy|note down|write|call|phone|ring|warn|invite|scan|press|clean|dust"
    r"|protect|ensure|confirm|double-check|secure|avoid|consider|prepare|order|arrange|sort|clip|train|sit|head|begin|find"
    r"|borrow|rent|hire|replace|swap|move|sell|switch|forget|skip|ditch|hoist|attach|glue|slip|download|register|show"
    r"|connect|hitch|fit|station|don't|do not|never|always|just|simply|please|tip|tips|good luck|enjoy"
    r"|have fun|congrat\w*"
)
IMPERATIVE = _start(
    rf"(?:(?:and|also|then|so|but|or|tip|tips|pro tip|in the meantime|meanwhile|afterwards|finally|first|next"
    r"|once there)"
    rf"[:,]? +){{0,2}}(?:{_VERBS})"
)
TIP = _any(
    r"make sure", r"don't forget", r"do not forget", r"remember(?: to| that)?", r"keep in mind", r"be careful",
    r"tips?", r"in case", r"so that", r"you may", r"you might", r"may", r"might", r"could", r"should", r"recommend\w*",
    r"i'd", r"would recommend", r"it's (?:always )?(?:good|best|wise|worth|a good)",
    r"it is (?:always )?(?:good|best|wise|recommended|important to)", r"buffer", r"spare", r"reserve", r"leftover",
    r"if", r"when", r"otherwise", r"or (?:else|your|the|it|you)", r"kindly", r"ensure", r"usually", r"now and then",
    r"occasionally", r"a bit", r"slightly", r"as long as",
)  # fmt: skip
PRAISE = _any(
    r"good luck", r"congratulations", r"enjoy", r"have (?:fun|a (?:great|nice|good|lovely|wonderful))", r"lovely",
    r"perfect", r"great", r"wonderful", r"what a", r"nice", r"yum", r"bravo", r"good for you", r"well worth",
    r"easily", r"sounds (?:good|like|great|fun)", r"happy to", r"charming", r"fun", r"clever", r"good idea",
    r"brilliant", r"of course",
)  # fmt: skip

ADOPTS = re.compile(
    r"(?:^|[.!?:;,(\n]\s*|(?<![^\W_])(?:so|and|just|simply|please|then|or|i'd|you'd better|better|you should"
    r"|should|let's"
    r"|you need to|you'll need to|you have to|must|instead,?|first,?)\s+)(?:\d\W+|first,? |just |simply |so "
    r"|also |(?:have|ask|get) (?:your|the|a|some) \w+ (?:to )?)*"
    r"(?P<verb>use|using|lift|raise|take|buy|get|rent|hire|borrow|order|swap|replace|switch|move|sell|put|place|slip|hoist|stand|attach"
    r"|glue|go for|start again|start over|forget|leave|look for|download|register|pull|fit|add|hang|bring"
    r"|mount|install|hook"
    r"|hitch|show|plug|lay|apply for|print|post|transfer|upload|set up|bid on|enter|go and|tie|insert|cross out|project"
    r")(?:ing)?(?![^\W_])(?P<rest>(?! it(?![^\W_]))[^.!?\n]{2,})"
)
"""An instruction that may put another tool, place or time in."""
REPLACES = _any(
    r"instead(?! of (?:the|a|an)? ?(?:sum|number))", r"replac(?:e|ed|ing) \w+", r"swap(?:ped|ping)? \w+",
    r"in place of", r"rather than",
    r"(?:new|real|proper|another|different|second|next|fresh|actual|tomorrow's|suitable|right) \w+",
    r"(?:i've|i have) (?:taken|moved|swapped|replaced|switched|assumed)", r"taken the liberty", r"go for",
    r"start again", r"start over", r"leave the", r"forget the", r"with (?:a|an|the) (?:new|proper|real)",
)  # fmt: skip

REPLACES_SELF = _any(
    r"(?:i've|i have) (?:\w+ ){0,4}(?:taken|moved|moving|swapped|replaced|replacing|switched|switching)",
    r"taken the liberty", r"start (?:again|over)(?! (?:at|by|with the numbers))",
)  # fmt: skip
DOOM = _any(
    r"hopeless", r"useless", r"pointless", r"no use", r"impossible", r"far too \w+", r"too \w+ (?:for|to)",
    r"would \w+ before",
    r"will (?:crack|break|sink|fail|melt|burst|tear|collapse|be (?:broken|rejected|refused|ruined))",
    r"would (?:crack|break|sink|fail|melt|burst|tear|collapse|be (?:broken|rejected|refused|ruined))",
    r"falls? (?:to bits|apart|over|down)", r"is (?:that|this|it) wise", r"are you sure", r"don't bother",
    r"out of the question", r"waste of", r"bad idea", r"(?:hire|use|take|get|try|fetch) \w+ (?:\w+ )?instead",
    r"hardly", r"doubt(?:ful)?", r"unrealistic", r"wishful", r"dream(?:ing)?", r"give up", r"flaw(?:ed)?",
    r"overestimat\w+", r"unable to",
)  # fmt: skip
"""Of a plan that works: words of an answer that says it cannot."""
META = _any(
    r"let(?:'s| us| me)", r"to (?:find|calculate|determine|solve|work out|figure out|answer|get|know|work)",
    r"we (?:need|can|have|first)", r"first", r"calculate\w*", r"therefore", r"here(?:'s| is| are)", r"step",
    r"formula", r"the total", r"given", r"so you", r"sure", r"certainly", r"based on", r"according to", r"needed",
)  # fmt: skip
"""Words by which small models open a sum."""
RESUMES = _any(
    r"anyway", r"but let", r"let me", r"for the (?:record|arithmetic|sake|sum|notebook)", r"going by",
    r"by (?:your|the) (?:own )?(?:numbers?|figures?|pace)",
    r"on (?:your|the) (?:own )?(?:numbers?|figures?|assumption)",
    r"the (?:sum|arithmetic|maths|math|schedule|timetable|calculation|quantity|times|figures)", r"ok(?:ay)?",
    r"as for", r"still,", r"well,", r"mathematically", r"as regards", r"if they did", r"assuming", r"in principle",
    r"nonetheless", r"timing", r"number-wise", r"for completeness", r"taking your", r"your calculation", r"play along",
    r"hypothetically", r"on paper", r"in theory", r"time:", r"but:",
)  # fmt: skip
"""Words by which an answer that has objected goes back to the sum."""
CLOSES = _any(
    r"anything else", r"let me know", r"feel free", r"happy to help", r"have a (?:nice|good|great)", r"thank you",
    r"thanks", r"good luck", r"hope (?:this|that) helps",
)  # fmt: skip
ARRANGES = re.compile(
    r"(?:^|[.!?:;,(\n]\s*|(?<![^\W_])(?:so|and|just|simply|please|then|better|instead,?|first,?)\s+)"
    r"(?:give|check in|ask (?:for|the|a|your)|book|send|pick|drive|ride|fly|sign up|build|dig|make|charter|phone|call"
    r"|enter)"
    r"(?![^\W_])(?P<rest>[^.!?\n]{2,})"
)
"""An instruction that arranges something, for an answer that has not a single known result."""
