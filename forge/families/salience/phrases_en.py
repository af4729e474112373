"""English word lists and patterns for reading an answer: denials, excuses, cautions, turns. Of no particular seed.

Standard library only, because exported readers ship it. All are matched against lower-case text without markup.
"""

from __future__ import annotations

import re


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(alternatives)})(?![^\W_])")


NOT = (
    r"(?:can't|cannot|can not|won't|will not|wouldn't|would not|couldn't|could not|doesn't|does not|don't|do not|didn't"
    r"|did not|isn't|is not|aren't|are not|wasn't|was not|ain't|never|not|unable to|incapable of|no longer|nor|neither"
    r"|fails? to|hardly|barely|no|nothing|none|without|cant|wont|doesnt|isnt|dont|shouldn't|should not)"
)
NEGATION = _any(NOT, r"impossible", r"useless", r"pointless")

MODAL_NOT = (
    r"(?:can't|cannot|can not|cant|won't|will not|wont|wouldn't|would not|couldn't|could not|doesn't|does not"
    r"|doesnt|don't"
    r"|do not|didn't|did not|never|unable to|not able to|isn't able to|aren't able to|is incapable of|incapable of"
    r"|isn't capable of|not capable of|isn't going to|is not going to|aren't going to|are not going to|not going to"
    r"|fails? to|no longer|shouldn't|should not)"
)

CAPABLE = (
    r"(?:work|function|operate|hold|carry|contain|keep|retain|transport|store|(?:re)?charge|power|run|produce|generate"
    r"|create|provide|supply|deliver|open|unlock|grant|let|allow|accept|be accepted|recogni[sz]e"
    r"|be recogni[sz]ed|read|scan"
    r"|register|validate|count|be valid|be used|be usable|be read|be charged|be carried|be done|be changed|be raised"
    r"|change|affect|alter|influence|improve|raise|boost|increase|undo|reverse|fix|prevent|stop|reach|survive"
    r"|light|ignite"
    r"|burn|melt|freeze|boil|cook|bake|roast|heat|warm|cool|dry|grow|fly|float|swim|breathe|move|lift|support|cut|drill"
    r"|fit|connect|replace|substitute|serve|act|qualify|apply|happen|exist|transfer|collect|receive|absorb"
    r"|transmit|detect"
    r"|measure|print|send|access|get you|get through|get past|pass|enter|board|make it|do (?:anything|that|this"
    r"|the job)"
    r"|have any|have an? effect|help|matter now|magically|physically|actually|possibly|be possible|be able to|be enough"
    r"|be of any|get any|get enough|give you|give any|make any|stay|last|bear|withstand|handle|sustain|act as"
    r"|turn|become)"
)

PLAN_DENIED = _any(
    r"(?:can't|cannot|won't|will not|wont|doesn't|does not|doesnt|wouldn't|would not|couldn't|isn't going to"
    r"|is not going to"
    r"|not going to|never going to|unlikely to|never) (?:actually |really |physically |even |simply |just |quite )?"
    r"(?:work|happen|fly|succeed|be possible|be feasible|do the trick|do the job|pan out|add up|hold up)",
    r"(?:not|isn't|aren't|wasn't|never|n't) (?:actually |really |physically |even |technically |remotely |at all "
    r"|currently )?(?:be )?(?:possible|feasible|viable|workable|doable|achievable|realistic|how (?:it|that|this"
    r"|they|\w+ \w+)"
    r" works?|going to work|an option|a workable plan|a viable plan|a thing)",
    r"(?:physically |literally |simply |quite |practically |basically |completely |totally )?"
    r"(?:impossible|infeasible|unfeasible|unworkable|non-?starter|nonviable|unrealistic)",
    r"(?:can't|cannot|can not) be (?:done|achieved|accomplished|carried out|completed|used)",
    r"no (?:way|(?:amount|number|quantity|length|combination|kind) of|means of|point (?:in|of)|sensible"
    r"|realistic|feasible)",
    r"no (?:\w+ ){1,2}(?:that )?(?:will|would|is going to|can) (?:ever )?(?:make|get|do|help|fix|change|work"
    r"|save|turn|let)",
    r"(?:i|i'd) (?:really |highly |strongly |seriously |very much )?doubt|(?:highly |very |quite "
    r"|extremely )?(?:unlikely|doubtful)",
    r"(?:would|will|'d|'ll) (?:\w+ ){0,3}(?:be|end up|arrive|land|lie|finish up) (?:\w+ )?(?:in (?:pieces|bits"
    r"|ruins)|all over \w+"
    r"|on the (?:floor|ground|road|street|lane|pavement)|ruined|destroyed|nowhere|empty-?handed)",
    r"hang on|hold off|did you mean|do you mean|are you sure|you (?:probably |surely )?meant|mixing up|mixed up"
    r"|reality check|hold up"
    r"|one sec|small snag|not survivable|(?:not|n't) going anywhere|falls? apart|(?:can't|cannot|can not|couldn't"
    r"|unable to|not able to)"
    r" (?:actually |really |physically |simply |just )?use",
    r"(?:makes no|doesn't make|does not make) (?:any )?sense",
    r"(?:problem|issue|flaw|catch|snag|hitch|obstacle|hole|error|mistake|misconception|misunderstanding)s? "
    r"(?:with|in) (?:your|this|that|the|using|how)(?! (?:calculation|numbers?|math|equation))",
    r"(?:there's|there is|there are|has|have|hit|see|spot|notice|noticed|face|faces|missing|overlooks?"
    r"|overlooked|ignores?) "
    r"(?:just |only |still )?(?:a|an|one|some|the|another) (?:\w+ ){0,3}?(?:problem|issue|flaw|catch|snag|hitch"
    r"|obstacle"
    r"|misunderstanding|misconception|mix-up|mixup|detail|hole|fact)",
    r"(?:the|one|a|only|main|real|big|bigger|biggest|major|fundamental|critical|crucial|key|serious|basic"
    r"|slight|small|core"
    r"|practical|obvious) (?:problem|issue|flaw|catch|snag|hitch|obstacle)(?= (?:here|is that|is,|is the|is a"
    r"|with)|,|;|$)",
    r"(?:may|might|could|must|seems to|appears to) (?:have )?(?:be|been)?(?: \w+)? ?(?:a )?"
    r"(?:misunderstanding|misconception|mix-?up|confusion|mistake|confused|mistaken)",
    r"(?:fundamental|fatal|basic|critical|serious|major|practical|physical|logical|logistical) "
    r"(?:problem|issue|flaw|error|obstacle|impossibility|mistake|misunderstanding)",
    r"(?:plan|idea|premise|setup|approach|method|scheme|assumption|scenario) (?:is|has|seems|looks|rests|falls"
    r"|fails|breaks"
    r"|depends|won't|doesn't|can't|cannot|will not|hits)(?: \w+){0,2} "
    r"(?:flaw(?:ed)?|problem|mistake(?:n)?|apart|fails?|work|hold|wrong|off|false|broken|down|snag|wall)",
    r"(?:flawed|wrong|false|faulty|mistaken|broken) (?:plan|premise|assumption|idea|setup|approach)",
    r"(?:defeats? the purpose|pointless|futile|useless|in vain|a waste of|wasted|doomed|no good|no use"
    r"|of no use|won't help"
    r"|will not help|wouldn't help|doesn't help|can't help|cannot help|not help"
    r"|(?:hold on|wait a (?:minute|second|moment))(?=\W*(?:$|[,.;:!?]))"
    r"|stop right there|bad news|hate to (?:break|say)"
    r"|sorry to (?:say|break)|i have to stop you)",
    r"(?:save|saves|saving|savings? (?:is|are|of|will be|would be|=)|gain|gains|get|gets|earn|produce|produces|generate"
    r"|generates|charge|charges|achieve|achieves|accomplish|accomplishes) "
    r"(?:you |exactly |essentially |practically |effectively |absolutely |basically |virtually |next to )*"
    r"(?:nothing|zero|none|\$0(?:\.00)?|£0(?:\.00)?|€0(?:\.00)?|0 (?:dollars|percent|%|watts?|w|wh))",
    r"(?:won't|will not|wouldn't|can't|cannot|not|doesn't|don't) (?:actually |really )?(?:save|gain|charge"
    r"|produce|generate"
    r"|achieve|change|raise|improve|do|affect|accomplish|help) (?:you )?(?:any|anything|a thing|a cent|a single|at all)"
    r"(?: \w+)?",
    r"(?:zero|no) (?:savings?|power|electricity|benefit|effect|impact|influence|difference|bearing|change"
    r"|charge|use|chance"
    r"|output|energy)(?: \w+){0,2}",
    r"(?:no|whatever|neither) [^.!?]{3,40} (?:makes?|(?:will|can|would) make) [^.!?]{3,30} (?:possible|feasible|work)",
    r"makes? no difference|(?:there is|there's) nothing (?:to|you|left)|nothing (?:you|that) (?:do|happens)",
)

REJECTS_TOOL = (
    r"(?:not (?:be )?(?:designed|meant|made|intended|built|suitable|suited|appropriate|valid|compatible|able"
    r"|capable|equipped"
    r"|usable|adequate|sufficient|linked|connected|related|programmed|configured|set up|authori[sz]ed"
    r"|recogni[sz]ed|accepted"
    r"|an? \w+(?: \w+)?|the same|what|how|for|one|going to)"
    r"|n't (?:be )?(?:designed|meant|made|intended|built|suitable|suited|appropriate|valid|compatible|able"
    r"|capable|equipped"
    r"|usable|adequate|sufficient|linked|connected|related|programmed|configured|set up|authori[sz]ed"
    r"|recogni[sz]ed|accepted"
    r"|an? \w+(?: \w+)?|the same|what|how|for|one|going to)"
    r"|unsuitable|unsuited|inappropriate|incompatible|incapable|invalid|the wrong (?:tool|container|thing|kind"
    r"|type|way|card"
    r"|place|choice|time)|wrong for|useless|worthless|no use|no good|ineffective|inadequate|won't do|will not do|not do"
    r"|has no|have no|lacks?|without (?:any )?)"
)

ONLY = _any(
    r"(?:only|exclusively|solely|specifically) (?:ever )?(?:accepts?|works?|opens?|valid|takes?|recogni[sz]es?"
    r"|responds?"
    r"|functions?|useful|helps?|charges?|good|usable|designed|meant|made|intended|for|grants?|gives?|reads?|get"
    r"|gets|generates?"
    r"|produces?|operates?|possible)",
    r"(?:accepts?|works?|open|opens|valid|recogni[sz]es?|functions?|operates?|read|reads|takes?|produces?"
    r"|generates?) only",
)

INSTEAD_OF = (
    r"(?:instead of|rather than|in place of|not (?:with|in|using)|replace|ditch|skip|swap(?: out)?|forget(?: about)?)"
)
NEEDS = (
    r"(?:needs?|needed|requires?|required|requiring|must (?:be|have)|has to (?:be|have)|depends? on|relies? on|rely on)"
)
LACKS = (
    r"(?:no|not|without|lacks?|lacking|lack of|absence of|zero|isn't|is not|aren't|are not|not enough"
    r"|insufficient|hardly any"
    r"|practically no|virtually no|almost no|any|never (?:gets|get|sees|see)|isn't any|doesn't (?:get|have"
    r"|receive|carry)"
    r"|does not (?:get|have|receive|carry)|won't (?:get|have|receive)|will not (?:get|have|receive)|non|un)"
)

_LEAKS = (
    r"(?:leak|drain|pour|run|flow|seep|drip|gush|trickle|escape|dribble)(?:s|ed|ing|ning|ping)? "
    r"(?:(?:right|straight|all|just|directly|immediately|almost|instantly|away) )*"
    r"(?:through(?! (?:the |your |these |some |each |this )?(?:plan|number|math|calculation|step|chapter"
    r"|schedule|question"
    r"|example|figure|detail|scenario)s?)|away|out (?:of (?:it|the|a|your|that)|the|through|onto)|all over|everywhere)"
)
KINDS = {
    "property": _any(
        _LEAKS,
        r"(?:right|straight) (?:out|through)",
        r"(?:has|have|with|full of|covered in|made of|is all|nothing but) "
        r"(?:\w+ )?(?:holes?|gaps?|openings)",
        r"perforated",
        r"porous",
        r"(?:through|out of) the (?:\w+ )?(?:holes?|gaps?|mesh|openings)",
    ),
    "time": _any(
        r"already (?:happened|over|taken|taken place|passed|done|finished|ended|occurred|in the past|too late"
        r"|fixed|settled"
        r"|closed|decided|set|determined|locked|graded|completed|gone)",
        r"(?:is|are|was|it's|that's|'s|has|have) (?:\w+ )?(?:in the past|behind you|over and done|been and gone)",
        r"too late",
        r"after the fact",
        r"after the event",
        r"retroactive(?:ly)?",
        r"retrospectively",
        r"turn back (?:time|the clock)",
        r"go back in time",
        r"change the past",
        r"undo (?:the past|what)",
        r"time (?:travel|machine)",
        r"has (?:already )?passed",
        r"that ship has sailed",
        r"locked in",
        r"set in stone",
        r"water under the bridge",
        r"no longer (?:be )?\w+ed",
        r"(?:been|was|were|is|are) (?:already )?(?:handed in|turned in|submitted|graded|marked|finali[sz]ed|sealed)",
    ),
    "body": _any(
        r"(?:no (?:human|person|one|body)|nobody) (?:\w+ )?(?:can|could|is able|survives?|lives?)",
        r"(?:human body|your body|bodies|humans?|people|a person|stomach|lungs) (?:\w+ )?(?:can't|cannot|isn't"
        r"|is not|aren't"
        r"|are not|doesn't|does not|don't|do not|couldn't|could not|won't|will not)",
        r"(?:humanly|physiologically|biologically|medically) impossible",
        r"(?:not|isn't) (?:humanly|physiologically|biologically|medically) possible",
        r"fatal|lethal|deadly",
    ),
    "credential": _any(
        r"(?:won't|will not|wouldn't|isn't|is not|not|never|aren't|are not) (?:be )?(?:accepted|recogni[sz]ed"
        r"|valid|honou?red"
        r"|authori[sz]ed|eligible|legal tender)",
        r"(?:be|get|is|are) (?:rejected|refused|denied|declined|turned away)",
        r"fare evasion",
        r"belongs? to",
        r"(?:issued|run|operated|honou?red) (?:only )?by",
        r"specific to",
        r"hand (?:it|them) back",
        r"(?:different|separate|another|unrelated) (?:\w+ )?(?:compan(?:y|ies)|systems?|business(?:es)?|stores?"
        r"|operators?)",
        r"turn(?:ed|s)? (?:you|him|her|them|me)? ?away",
        r"(?:won't|will not|wouldn't|not) let you (?:through|in|on|pass|board|enter)",
        r"(?:refuse|deny|reject) (?:you|it|your|the card|entry|boarding)",
        r"not an? (?:\w+ ){0,3}(?:id|ticket|pass|permit|licen[cs]e|document|identification|payment|currency"
        r"|fare|credential)",
    ),
}
"""What people say against a plan whose blocker is of a kind, whatever the seed."""

EXCUSE = _any(
    r"(?:can't|cannot|not possible to|impossible to|unable to|don't|do not|won't be able to|difficult to"
    r"|hard to|not able to)"
    r" (?:\w+ )?(?:determine|say|give|estimate|calculate|tell|know|predict|guarantee|answer|compute|assist"
    r"|help you with"
    r"|provide (?:an?|the|you|any|specific|exact)|access|see|verify|confirm|be sure|be certain|recommend|advise|have "
    r"(?:access|enough information|real-time|the ability))",
    r"(?:without|need|requires?) (?:more|additional|further|knowing) (?:information|details|context|data|the)?",
)

IDLE_NOT = _any(
    rf"{MODAL_NOT} (?:\w+ )?(?:need|have to|has to|worry|matter|forget|want|exceed|include|included|specif(?:y|ied)"
    r"|mention(?:ed)?"
    r"|state|stated|given|say|mind|account|consider(?:ed)?|require|cost|take (?:long|much|more|into)|hesitate|miss|rush"
    r"|overdo|waste|be (?:a problem|an issue|late|full|afraid)|change the (?:number|total|calculation|math|maths|time)"
    r"|affect the (?:number|total|calculation|math|maths|time)|pay|buy)",
    r"not (?:only|just|merely|to mention|including|counting|necessarily|sure|exactly|specified|mentioned|given|stated"
    r"|a problem|an issue|too|so|much|more|less|enough time|far|always|usually)",
    r"no (?:problem|worries|doubt|need|matter|issue|rush|more than|less than|later than|trouble|extra|additional|wait)",
    r"without (?:a problem|any problem|problem|issue|issues|trouble|stopping|rushing|any issues|delay)",
)

LIMIT = _any(
    r"more than", r"over \d\S*", r"at once",
    r"(?:in|per) (?:one|a single|a|each) (?:trip|go|day|charge|load|walk|session)",
    r"all (?:of )?(?:the )?\d\S*", r"exceed(?:s|ing)?", r"beyond", r"fully", r"at full", r"to full",
    r"full (?:power|capacity"
    r"|output|speed)", r"entire(?:ly)?", r"optimal(?:ly)?", r"efficien(?:t|tly|cy)", r"maximum", r"peak",
    r"rated", r"as much",
    r"as (?:fast|quickly|well)", r"faster", r"quickly", r"perfect(?:ly)?", r"constant(?:ly)?", r"100 ?%",
    r"100 percent",
    r"before \d\S*", r"by \d\S*", r"on time", r"in time", r"within \d\S*", r"any (?:faster|further)", r"forever",
    r"overnight", r"evenly",
)  # fmt: skip

WRONG_REASON = _any(
    r"too (?:small|big|large|heavy|far|expensive|costly|slow|long|short|many|much|tired|tiring|busy|little|full"
    r"|weak|bulky)",
    r"not enough (?:time|capacity|space|room|hours|days|money|strength|volume)",
    r"(?:more than|over|above|beyond) (?:its|the|your|their) (?:capacity|limit|budget)", r"clos(?:es|ed|ing)",
    r"runs? out of time",
    r"exceed(?:s|ing)?", r"out of (?:time|stock|budget)", r"illegal", r"unsafe", r"against the law", r"safety reasons",
)  # fmt: skip

CARE = _any(
    r"make sure", r"making sure", r"ensure", r"ensuring", r"be sure", r"be careful", r"careful(?:ly)?", r"take care",
    r"(?:double-?)?check(?:ing)?", r"confirm", r"verify", r"watch (?:out|for)", r"keep an eye", r"avoid(?:ing)?",
    r"prevent(?:ing|s)?", r"in case", r"remember to", r"don't forget", r"do not forget", r"try (?:not )?to",
    r"as long as",
    r"provided", r"assuming", r"assume", r"assumes", r"minimi[sz]e", r"reduce", r"to keep", r"allow for",
    r"be prepared",
    r"so (?:that )?(?:it|the \w+|nothing|you|they) (?:doesn't|don't|does not|won't|will not|can't)", r"be aware of any",
    r"consider any", r"account for", r"secure(?:ly)?", r"without (?:spilling|leaking)", r"whether", r"guard against",
)  # fmt: skip
CARE_AFTER = _any(
    r"so (?:be careful|walk|carry|make sure|you may want|you might want|consider|try|take|keep|handle|check"
    r"|allow|add|plan for"
    r"|move|hold)", r"be careful", r"(?:some|a little|a bit)", r"slightly", r"occasionally",
)  # fmt: skip
BECAUSE = re.compile(r"(?<![^\W_])(?:because|since|as (?:a|the|your|it)|due to|given that|otherwise)(?![^\W_])")
MAYBE = re.compile(r"(?<![^\W_])(?:may|might|could|can|possibly|perhaps)(?![^\W_])")
CONDITION = re.compile(r"(?<![^\W_])(?:if|until|assuming|provided|as long as|in case)(?![^\W_])")

RETURNS = _any(
    r"numerically", r"(?:the|your) numbers (?:you|are|come|work|say)", r"you asked (?:for|about)",
    r"anyway", r"as for (?:the |your )?\w+", r"for (?:the|your) \w+:", r"with that in mind", r"in terms of",
    r"now for", r"in any case", r"that said", r"that aside", r"having said that", r"nevertheless", r"nonetheless",
    r"regardless", r"still, (?:here|to|the|if)", r"(?:setting|putting|leaving) (?:that|this|it) aside",
    r"ignor(?:e|ing) (?:that|this|the)", r"hypothetical(?:ly)?", r"in theory", r"theoretically", r"on paper", r"purely",
    r"as for your (?:question|numbers|calculation|math|maths|plan)", r"to answer your (?:\w+ )?question",
    r"(?:for|with|per|following|based on|under|according to) (?:your|the) (?:original|current|stated|own|actual)? ?"
    r"(?:plan|numbers|figures|setup|scenario|question|assumptions?)",
    r"if (?:it|that|this|the \w+|the \w+ \w+|your \w+|your \w+ \w+) (?:did|were|was|could|does|worked|somehow"
    r"|really|still)",
    r"if you (?:still|insist|do|want to (?:go|proceed|stick|continue)|really)",
    r"assuming (?:it|that|this|you|the|your|no|for)",
    r"supposing", r"let's assume", r"let us assume", r"suppose", r"here(?:'s| is| are) (?:the|your|how|a|my) "
    r"(?:math|maths|calculation|numbers|plan|breakdown|answer|figures|estimate|schedule|split)",
    r"(?:the|your) (?:math|maths|calculation|numbers|figures) (?:is|are|would|work|works|comes?|come)", r"just for the",
    r"for what it's worth", r"for the record", r"numbers-wise", r"mathematically", r"the raw",
)  # fmt: skip

ALTERNATIVE = _any(
    r"instead", r"alternative(?:s|ly)?", r"option(?:s)?(?! \d)", r"better (?:plan|option|way|idea|choice|to)",
    r"what (?:you|would|will|might|could) (?:\w+ )?(?:can|could|work|need|help|do)", r"use a(?:n)?(?: \w+){0,3} "
    r"(?:instead|like|such)",
    r"you(?:'d| would|'ll| will) need (?:a|an|some|something|to (?:use|get|bring|find|buy|move|take))",
    r"(?:should|could|can|might|need to|have to|must) (?:use|get|bring|find|buy|switch|move|borrow|try|look)",
    r"switch to",
    r"consider", r"if you (?:had|used|use|get|got|bring|brought|move|moved|switch|switched|swap|have|can get|find|buy)",
    r"with a(?:n)? (?:proper|real|suitable|sealed|solid|valid|different|actual|working)", r"try (?:a|an|using|to find)",
    r"(?:the|your|a) next", r"suitable", r"proper",
)  # fmt: skip

MOOT = _any(
    r"moot", r"irrelevant", r"meaningless", r"beside the point", r"don't matter", r"doesn't matter", r"do not matter",
    r"does not matter", r"don't apply", r"doesn't apply", r"do not apply", r"does not apply", r"academic",
    r"won't matter",
    r"off the table", r"not real", r"isn't real", r"aren't real", r"won't happen", r"won't materiali[sz]e",
    r"no meaning",
    r"at best", r"at most", r"negligible", r"fraction of", r"barely", r"a tiny", r"trickle", r"less than 1",
)  # fmt: skip
STILL_PAYS = _any(
    r"still (?:have to |need to |be |end up )*(?:pay|spend|owe|cost|need|charged|paying|spending|buy)\w*",
    r"(?:will|would|'ll|'d) (?:\w+ )?(?:continue|keep) (?:to )?pay\w*",
    r"(?:regular|normal|full|usual|actual|standard) (?:fares?|price|amount|bill|cost|rate)",
    r"(?:pay|paying|cost|costs|owe|be|is|budget) (?:the |you the )?(?:full|normal|regular|usual|same|whole)",
    r"no savings",
)  # fmt: skip

REFUSES = _any(
    r"i(?:'m| am) sorry", r"sorry",
    r"i (?:can't|cannot|can not|am unable|'m unable|am not able|won't|will not|don't feel)",
    r"i'm (?:unable|not able)",
    r"(?:can't|cannot|unable to) (?:help|assist|answer|do that|comply|provide|fulfil?l|recommend)",
    r"i don't (?:know|have)", r"i do not (?:know|have)", r"not enough information",
    r"need more (?:information|details|context)",
    r"(?:could|can) you (?:please )?(?:clarify|provide|tell|share|specify|confirm)",
    r"please (?:clarify|provide|specify)",
    r"(?:decline|must refuse|have to refuse|not comfortable|against my|as an ai|it depends|consult)",
)  # fmt: skip

ADVISES = _any(
    r"should", r"recommend(?:ed)?", r"suggest(?:ed)?", r"plan", r"start", r"leave", r"spend", r"focus",
    r"allocate", r"split",
    r"divide", r"aim", r"connect", r"plug", r"take", r"go", r"begin", r"try", r"set aside", r"prioriti[sz]e",
    r"dedicate",
    r"best (?:to|option|choice|bet|route|plan)", r"will (?:need|take|be|save|have|cost|work|get|reach|make)",
    r"need(?:s)? to",
    r"would (?:need|take|be|save|have|cost)", r"you(?:'ll| will| can| could)", r"works?(?: out)?", r"choose",
    r"use", r"fill",
    r"walk", r"drive", r"buy", r"pick", r"total", r"approximately", r"about", r"roughly", r"evenly", r"equally",
    r"each",
)  # fmt: skip

IDLE_NOUN = re.compile(
    r"\s*(?:[a-z-]+\s)?(?:options?|ways?|things?|reasons?|problems?|issues?|choices?|alternatives?|questions?"
    r"|steps?|points?"
    r"|possibilit(?:y|ies)|approaches|methods?|scenarios?|cases?|parts?|factors?|types?|kinds?|sides?)(?![^\W_])"
)
RHETORICAL = re.compile(
    r"(?:and |but |so )?(?:how|with what|where|what) (?:exactly )?(?:would|will|could|can|is|are|does|do) [^?]*\?"
)
"""A question thrown back at the plan: "how would the kite stay up?"."""

OUTCOME = _any(
    r"total",
    r"in all",
    r"altogether",
    r"overall",
    r"takes?",
    r"comes? to",
    r"makes?",
    r"start(?:ing)?",
    r"leave",
    r"leaving"
    r"|finish(?:ed|ing)?",
    r"arrive",
    r"done (?:by|at|around)",
    r"so (?:you|that's|it|it's|about|around)",
    r"therefore",
    r"equals|that's|which is|at the latest",
    r"you(?:'d| would|'ll| will) (?:\w+ )?(?:need|have|save|earn|take|spend|finish|be|get|make|pay|want)",
    r"gives",
    r"works out",
)
"""Words of a sentence that hands over a result."""

YES = re.compile(
    r"\W*(?:(?:answer|a)\s*:\s*)?\W*(?:yes|yep|yeah|yup|sure|absolutely|of course|certainly|definitely)(?![^\W_])"
)
NO = re.compile(
    r"\W*(?:(?:answer|a)\s*:\s*)?\W*(?:no|nope|nah)(?![^\W_])(?! (?:problem|worries|need|matter|doubt|rush))"
)
